// The way in. The token stands behind the # of the address, which no browser sends by itself: it is taken from
// there, removed from the address and its history, and posted once in exchange for a session.

import { part, readJson, setText } from '../dom.js';

const words = readJson('words');
const message = part(document, 'message');
const again = part(document, 'again');
const address = message.dataset.session; // where tokens of this kind of link are exchanged
const token = decodeURIComponent(location.hash.slice(1));
history.replaceState(null, '', location.pathname + location.search);

async function enter() {
  again.hidden = true;
  if (!token) {
    setText(message, words.incomplete);
    return;
  }
  try {
    const answer = await fetch(address + location.search, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token }),
      referrerPolicy: 'no-referrer',
    });
    const body = await answer.json();
    if (answer.ok) {
      location.replace(body.address + location.search);
      return;
    }
    setText(message, body.message);
    again.hidden = answer.status < 500 && answer.status !== 429; // only what may pass is worth another try
  } catch {
    setText(message, words.offline);
    again.hidden = false;
  }
}

again.addEventListener('click', enter);
enter();
