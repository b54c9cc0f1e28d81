// The page of one board: the same record stepped through without asking the server. Each position has its address.

import { paceOf } from './as_live.js';
import { Autoplay, readingTime } from './autoplay.js';
import { Commenting } from './commenting.js';
import { part, phrase, readJson } from './dom.js';
import { ROOMS } from './fold.js';
import { watchTabs } from './panels.js';
import { drawRoom } from './room.js';
import { drawStepBar, placeOf, positionAt, setMode, watchStepBar } from './step_bar.js';
import { JUMPS, listenForKeys, recordedIn, stepped } from './stepping.js';
import { tableView } from './view.js';
import { Visits } from './visits.js';

const words = readJson('words');
const { match, board } = readJson('state');
const recorded = new Map(ROOMS.filter((room) => board[room]?.auction).map((room) => [room, recordedIn(board, room)]));
const positions = new Map();
const playing = new Map();
const address = `/matches/${encodeURIComponent(match.id)}`;
const commenting = new Commenting({ words, address, where, onSent: () => location.reload() });
let active = new URLSearchParams(location.search).get('room') === 'closed' ? 'closed' : 'open';

/** Where the address says a room stands; the end of the record where it says nothing. */
function addressed(room) {
  const asked = new URLSearchParams(location.search);
  const mine = !asked.has('room') || asked.get('room') === room;
  const most = recorded.get(room);
  const given = (name) => (mine && asked.has(name) ? Math.max(0, Math.min(Number(asked.get(name)) || 0, most[name === 'call' ? 'calls' : 'cards'])) : null);
  return { calls: given('call') ?? most.calls, cards: given('card') ?? most.cards };
}

function here() {
  const url = new URL(location.href);
  const { calls, cards } = positions.get(active);
  url.searchParams.set('room', active);
  url.searchParams.set('call', calls);
  url.searchParams.set('card', cards);
  url.hash = '';
  return { state: Object.fromEntries(positions), url };
}

const visits = new Visits(here, (kept) => {
  for (const room of recorded.keys()) {
    playing.get(room).stop();
    positions.set(room, kept?.[room] ?? addressed(room));
    draw(room);
  }
});

function draw(room) {
  const root = document.getElementById(`room-${room}`);
  const view = tableView(match, board, room, positions.get(room));
  drawRoom(root, match, view, words);
  const can = { back: view.calls > 0 || view.cards > 0, on: !view.atEnd, play: true, playing: playing.get(room).isPlaying };
  drawStepBar(part(root, 'steps'), view, recorded.get(room), can, words);
  setMode(part(root, 'steps'), phrase(words.position, view));
  const url = new URL(location.href);
  url.searchParams.set('room', room);
  url.searchParams.set('call', view.calls);
  url.searchParams.set('card', view.cards);
  url.hash = '';
  part(root, 'address').href = url;
  const asLive = part(root, 'as-live');
  if (asLive) asLive.hidden = playing.get(room).isPlaying || !paceOf(board[room], recorded.get(room));
  commenting.draw();
}

/** The position that the room in use shows. */
function where() {
  if (!positions.has(active)) return null;
  const { calls, cards } = positions.get(active);
  return { segment: board.segment, board: board.number, room: active, call: calls, card: cards };
}

function use(room) {
  active = room;
  commenting.draw();
}

function move(room, position, isJump) {
  active = room;
  const set = () => positions.set(room, position);
  if (isJump) visits.jump(set);
  else {
    set();
    visits.stay();
  }
  draw(room);
}

function isAtEnd(room) {
  return placeOf(positions.get(room)) >= placeOf(recorded.get(room));
}

function step(room, name) {
  if (!recorded.has(room)) return;
  if (name === 'play') togglePlay(room);
  else if (name === 'as-live') play(room, paceOf(board[room], recorded.get(room)));
  else {
    playing.get(room).stop();
    move(room, stepped(positions.get(room), name, recorded.get(room)), JUMPS.has(name));
  }
}

function togglePlay(room) {
  const player = playing.get(room);
  if (player.isPlaying) player.stop();
  else play(room, readingTime);
}

/** From where the room stands, or from its start when it is at its end. */
function play(room, wait) {
  if (isAtEnd(room)) move(room, { calls: 0, cards: 0 }, true);
  playing.get(room).start(() => wait(positions.get(room), recorded.get(room)));
}

/** To the board before or after, when the page links to one. */
function turnTo(rel) {
  const link = document.querySelector(`.board-nav [rel="${rel}"]`);
  if (link) location.assign(link.href);
}

for (const room of recorded.keys()) {
  playing.set(
    room,
    new Autoplay(
      () => {
        move(room, stepped(positions.get(room), 'forward', recorded.get(room)), false);
        return !isAtEnd(room);
      },
      () => draw(room),
    ),
  );
  positions.set(room, history.state?.[room] ?? addressed(room));
  draw(room);
  const root = document.getElementById(`room-${room}`);
  watchStepBar(
    root,
    (name) => step(room, name),
    (place, isFirst) => {
      playing.get(room).stop();
      move(room, positionAt(place, recorded.get(room)), isFirst);
    },
  );
  for (const kind of ['pointerdown', 'focusin']) root.addEventListener(kind, () => use(room));
}
listenForKeys((name) => {
  if (name === 'next' || name === 'previous') turnTo(name === 'next' ? 'next' : 'prev');
  else if (name === 'live') document.querySelector('.live-link')?.click();
  else step(active, name);
});
watchTabs(use, active);
