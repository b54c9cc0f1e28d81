// A board in a frame for readers who are spared results: each step asks the server for the page at the next position,
// which holds nothing after it.

import { watchTabs } from '../panels.js';
import { askAnew } from './frame.js';

let isAsking = false;

async function step(target) {
  if (isAsking) return;
  isAsking = true;
  const address = new URL(target.href);
  address.hash = '';
  const fresh = await askAnew(address);
  const room = target.closest('.room');
  const next = fresh?.getElementById(room.id);
  if (next) {
    const name = target.dataset.step;
    room.replaceChildren(...next.childNodes);
    room.querySelector(`[data-step="${name}"]`)?.focus({ preventScroll: true });
  }
  isAsking = false;
}

document.querySelector('.rooms').addEventListener('click', (event) => {
  const target = event.target.closest('a[data-step]');
  if (!target || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (target.getAttribute('aria-disabled') !== 'true') step(target);
});
watchTabs(() => {}, new URLSearchParams(location.search).get('room') === 'closed' ? 'closed' : 'open');
