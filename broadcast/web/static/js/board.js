// The page of one board: the same record stepped through without asking the server. Each position has its address.

import { part, phrase, readJson, setText } from './dom.js';
import { ROOMS } from './fold.js';
import { drawRoom } from './room.js';
import { listenForKeys, recordedIn, stepped } from './stepping.js';
import { tableView } from './view.js';

const words = readJson('words');
const { match, board } = readJson('state');
const asked = new URLSearchParams(location.search);
const positions = new Map();
let active = asked.get('room') === 'closed' ? 'closed' : 'open';

function start(room) {
  const recorded = recordedIn(board, room);
  const mine = !asked.has('room') || asked.get('room') === room;
  const given = (name, most) => (mine && asked.has(name) ? Math.max(0, Math.min(Number(asked.get(name)) || 0, most)) : most);
  return { calls: given('call', recorded.calls), cards: given('card', recorded.cards) };
}

function draw(room) {
  const root = document.getElementById(`room-${room}`);
  const view = tableView(match, board, room, positions.get(room));
  drawRoom(root, match, view, words);
  setText(part(root, 'mode'), phrase(words.position, { calls: view.calls, cards: view.cards }));
  const atStart = view.calls === 0 && view.cards === 0;
  for (const link of root.querySelectorAll('[data-step]')) {
    const blocked = ['first', 'back'].includes(link.dataset.step) ? atStart : view.atEnd;
    link.setAttribute('aria-disabled', String(blocked));
  }
  const url = new URL(location.href);
  url.searchParams.set('room', room);
  url.searchParams.set('call', view.calls);
  url.searchParams.set('card', view.cards);
  url.hash = '';
  part(root, 'address').href = url;
  return url;
}

function step(room, name) {
  if (!board[room]?.auction) return;
  active = room;
  const recorded = recordedIn(board, room);
  positions.set(room, stepped(positions.get(room), name === 'live' ? 'last' : name, recorded));
  history.replaceState(null, '', draw(room));
}

for (const room of ROOMS) {
  if (!board[room]?.auction) continue;
  positions.set(room, start(room));
  draw(room);
  const root = document.getElementById(`room-${room}`);
  root.addEventListener('click', (event) => {
    const link = event.target.closest('[data-step]');
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(room, link.dataset.step);
  });
  for (const kind of ['pointerdown', 'focusin']) root.addEventListener(kind, () => (active = room));
}
listenForKeys((name) => step(active, name));

const tabs = [...document.querySelectorAll('[data-tab]')];
const strip = document.querySelector('.rooms');
const show = (room) => {
  for (const tab of tabs) {
    if (tab.dataset.tab === room) tab.setAttribute('aria-current', 'true');
    else tab.removeAttribute('aria-current');
  }
};
for (const tab of tabs) {
  tab.addEventListener('click', (event) => {
    event.preventDefault();
    active = tab.dataset.tab;
    strip.scrollTo({ left: active === 'open' ? 0 : strip.scrollWidth });
    show(active);
  });
}
if (active === 'closed') strip.scrollLeft = strip.scrollWidth;
