// Lets the first page tick. Scores change every few minutes, so asking for the page again now and then is enough, and
// costs the browser none of its few stream connections. Matches that begin and end come and go by themselves.

import { part } from './dom.js';
import { putFollowedFirst } from './follow.js';

const EVERY = 15_000;

/** What each score card of a page says, by match and side. */
function scores(root) {
  const said = new Map();
  for (const card of root.querySelectorAll('[data-match]')) {
    for (const name of ['imps-home', 'imps-visitors']) said.set(`${card.dataset.match} ${name}`, part(card, name).textContent);
  }
  return said;
}

function highlightChanges(root, before) {
  for (const card of root.querySelectorAll('[data-match]')) {
    for (const name of ['imps-home', 'imps-visitors']) {
      const element = part(card, name);
      const was = before.get(`${card.dataset.match} ${name}`);
      if (was !== undefined && was !== element.textContent) element.classList.add('is-fresh');
    }
  }
}

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('main');
  const shown = document.getElementById('main');
  if (fresh) putFollowedFirst(fresh);
  // Whoever is on a link with the keyboard keeps it: the page is drawn anew when the focus has gone elsewhere.
  if (!fresh || fresh.textContent === shown.textContent || shown.contains(document.activeElement)) return;
  const before = scores(shown);
  shown.replaceChildren(...fresh.childNodes);
  highlightChanges(shown, before);
}

putFollowedFirst(document);
setInterval(refresh, EVERY);
document.addEventListener('visibilitychange', refresh);
