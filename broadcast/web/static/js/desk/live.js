// The director's desk follows the match's log: each event makes the page ask for itself again and take over the
// parts that changed. One request at a time; what somebody is typing in is left alone.

const PAUSE_MS = 150; // events of one command come together
const AGAIN_MS = 2000;
let waiting = null;
let isAsking = false;
let isStale = false;

function isInUse(part) {
  const typed = [...part.querySelectorAll('input:not([type=hidden])')].some((field) => field.value !== field.defaultValue);
  return typed || part.contains(document.activeElement);
}

async function refresh() {
  waiting = null;
  if (isAsking) {
    isStale = true;
    return;
  }
  isAsking = true;
  try {
    const answer = await fetch(location.pathname + location.search, { headers: { Accept: 'text/html' } });
    if (answer.ok && !answer.redirected) {
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
      for (const part of document.querySelectorAll('[data-live]')) {
        const next = fresh.getElementById(part.id);
        if (next && !isInUse(part) && !part.isEqualNode(next)) part.replaceWith(document.adoptNode(next));
      }
    }
  } catch {
    // the stream comes back with the network and asks again
  }
  isAsking = false;
  if (isStale) {
    isStale = false;
    refresh();
  } else if (document.querySelector('[data-again]')) {
    waiting ??= setTimeout(refresh, AGAIN_MS); // what is being worked out comes without an event
  }
}

function changed() {
  if (waiting === null) waiting = setTimeout(refresh, PAUSE_MS);
}

const NAMES = [
  'created', 'started', 'release', 'lineup', 'penalty', 'alarm_cleared', 'closed', 'reopened', 'void', 'board', 'skip',
  'call', 'explain', 'card', 'claim', 'claim_answer', 'undo', 'result', 'correction', 'checked', 'doubted', 'award',
  'cancelled', 'lifted', 'swapped', 'segment', 'comment', 'clock_stopped', 'clock_resumed', 'score_disputed', 'snapshot', 'reset',
];
const stream = new EventSource(`${document.body.dataset.stream}?after=${document.body.dataset.after}`);
for (const name of NAMES) stream.addEventListener(name, changed);
if (document.querySelector('[data-again]')) waiting = setTimeout(refresh, AGAIN_MS);
