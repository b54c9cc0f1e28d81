// The correction log as it grows: with every event of the match that may have changed it, the list is asked for anew.

const TELLING = ['correction', 'penalty', 'result', 'undo', 'board', 'match', 'closed', 'reset'];
const SETTLING = 250; // ms: one change comes as several events

let timer = null;

async function renew() {
  const answer = await fetch(location.href, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const [shown, fresh] = [document, page].map((each) => each.querySelector('.correction-list'));
  if (!fresh || fresh.isEqualNode(shown)) return;
  shown.replaceWith(fresh);
  document.querySelector('.corrections .empty')?.remove();
}

function open() {
  const source = new EventSource(document.querySelector('[data-part=corrections]').dataset.events);
  for (const name of TELLING) {
    source.addEventListener(name, () => {
      clearTimeout(timer);
      timer = setTimeout(renew, SETTLING);
    });
  }
  // What came while the page was away is in the page itself.
  addEventListener('pagehide', () => source.close());
}

open();
addEventListener('pageshow', (event) => event.persisted && (open(), renew()));
