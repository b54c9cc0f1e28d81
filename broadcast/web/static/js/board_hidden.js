// The page of one board for readers who are spared results. It holds nothing after its position: each step asks the
// server for the page at the next one and shows what has changed. So does playing on by itself.

import { Autoplay, readingTime } from './autoplay.js';
import { watchTabs } from './panels.js';
import { JUMPS, listenForKeys } from './stepping.js';

const PARTS = ['.rooms', '[data-part="talk"]'];
let active = new URLSearchParams(location.search).get('room') === 'closed' ? 'closed' : 'open';
let asking = false;

function link(room, name) {
  return document.querySelector(`#room-${room} a[data-step="${name}"]`);
}

function isOff(element) {
  return !element || element.getAttribute('aria-disabled') === 'true';
}

/** Shows the page at another position in place of this one. */
async function show(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return false;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of PARTS) {
    const [old, next] = [document.querySelector(part), fresh.querySelector(part)];
    const left = old?.scrollLeft;
    if (old && next) old.replaceChildren(...next.childNodes);
    if (left) old.scrollLeft = left;
  }
  offerPlay();
  return true;
}

/** How long to look at the present position, which is one before the link that leads on. */
function pace(room) {
  const asked = new URL(link(room, 'forward').href).searchParams;
  const [calls, cards] = [Number(asked.get('call')), Number(asked.get('card'))];
  return readingTime({ calls, cards: cards - 1 }, { calls: cards ? calls : calls + 1 });
}

async function step(room, name) {
  const target = link(room, name);
  if (asking || isOff(target)) return;
  asking = true;
  active = room;
  const address = new URL(target.href);
  address.hash = '';
  const focused = document.activeElement?.closest('[data-step]')?.dataset.step;
  if (await show(address)) {
    history[JUMPS.has(name) ? 'pushState' : 'replaceState'](null, '', address);
    if (focused) document.querySelector(`#room-${room} [data-step="${focused}"]`)?.focus();
  }
  asking = false;
}

const playing = new Autoplay(
  () => {
    step(active, 'forward');
    return !isOff(link(active, 'forward'));
  },
  () => offerPlay(),
);

function offerPlay() {
  for (const button of document.querySelectorAll('[data-step="play"]')) {
    button.hidden = false;
    button.classList.toggle('is-playing', playing.isPlaying && Boolean(button.closest(`#room-${active}`)));
  }
}

function take(room, name) {
  if (name !== 'play') {
    playing.stop();
    step(room, name);
  } else if (playing.isPlaying) playing.stop();
  else {
    active = room;
    if (isOff(link(room, 'forward'))) step(room, 'first');
    playing.start(() => pace(active));
  }
}

document.querySelector('.rooms').addEventListener('click', (event) => {
  const target = event.target.closest('[data-step]');
  if (!target || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  take(target.closest('.room').dataset.room, target.dataset.step);
});
listenForKeys((name) => {
  if (name === 'next' || name === 'previous') document.querySelector(`.board-nav [rel="${name === 'next' ? 'next' : 'prev'}"]`)?.click();
  else if (name === 'live') document.querySelector('.live-link')?.click();
  else take(active, name);
});
addEventListener('popstate', () => {
  playing.stop();
  show(location.href);
});
watchTabs((room) => (active = room), active);
offerPlay();
