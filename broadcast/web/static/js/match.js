// The live match page: takes the state that came with the page, follows the stream, draws what changed.

import { Announcer } from './announcer.js';
import { paceOf } from './as_live.js';
import { Commenting } from './commenting.js';
import { callNode, part, phrase, readJson, redraw, setText } from './dom.js';
import { ROOMS, fold, isKnown } from './fold.js';
import { Records, lockTarget } from './lock.js';
import { Looking } from './looking.js';
import { Notices } from './notices.js';
import { watchTabs } from './panels.js';
import { drawRoom } from './room.js';
import { drawScoreboard } from './scoreboard.js';
import { drawStepBar, setMode, watchStepBar } from './step_bar.js';
import { isSame, listenForKeys, recordedIn } from './stepping.js';
import { MatchStream } from './stream.js';
import { Talk } from './talk.js';
import { boardKey, currentBoard, tableView } from './view.js';
import { keptQuery } from './ways.js';

const words = readJson('words');
let state = readJson('state');
const address = `/matches/${encodeURIComponent(state.id)}`;
const query = keptQuery();
const encoding = new URLSearchParams(query).get('results') === 'hidden' ? '?results=hidden' : '';
const rooms = new Map(ROOMS.map((room) => [room, { root: document.getElementById(`room-${room}`), heard: 0 }]));
const announcer = new Announcer(part(document, 'announcer'), words);
const records = new Records((key) => `/api${address}/boards/${key}?${query}`, drawSoon);
const talk = new Talk(document, words, encoding !== '');
const notices = new Notices(words);
const lock = document.querySelector('[data-lock]');
const looking = new Looking(() => state, shownLive, drawSoon);
const commenting = new Commenting({ words, address, where });
let active = 'open';
let updated = new Date();
let frame = 0;

function draw() {
  frame = 0;
  drawScoreboard(document, state, words);
  for (const [room, { root }] of rooms) drawOne(room, root, looking.in(room));
  talk.draw(looking.places());
  commenting.draw();
}

/** Events that come together are drawn once. A hidden page is drawn when it is seen again. */
function drawSoon() {
  frame ||= requestAnimationFrame(draw);
}

function drawOne(room, root, at) {
  const current = currentBoard(state, room);
  drawTab(room, current);
  const { board, position } = at.isLive ? shownLive(room) : { board: at.board(current), position: at.position };
  if (!board) return;
  const view = tableView(state, board, room, position);
  drawRoom(root, state, view, words);
  drawSteps(root, room, board, view, at, current);
}

/** What a room shows while live: the latest, or under the lock as far as the other room is. */
function shownLive(room) {
  const current = currentBoard(state, room);
  const target = lock.checked ? lockTarget(state) : null;
  if (target?.room !== room) return { board: current, position: null };
  const board = target.key === boardKey(current) ? current : records.get(target.key);
  return board ? { board, position: target.position } : { board: current, position: null };
}

function drawTab(room, current) {
  const tab = document.querySelector(`[data-tab="${room}"]`);
  const view = current && tableView(state, current, room);
  part(tab, 'dot').classList.toggle('is-live', state.status === 'live' && view?.state === 'in_play');
  redraw(part(tab, 'now'), [view?.contract, view?.phase], () =>
    view ? [view.contract ? callNode(view.contract, words) : (words.phase[view.phase] ?? '')] : [],
  );
}

function drawSteps(root, room, board, view, at, current) {
  const steps = part(root, 'steps');
  const can = { back: view.calls > 0 || view.cards > 0, on: !at.isLive, play: looking.canPlay(room), playing: looking.isPlaying(room) };
  part(steps, 'as-live').hidden = !['board', 'match'].includes(state.release?.rule) || !can.play || can.playing;
  drawStepBar(steps, view, recordedIn(board, room), can, words);
  setMode(steps, at.isLive ? (isHeldBack(view, current) ? words.as_far : '') : phrase(words.position, view));
  const moved = part(steps, 'moved-on');
  moved.hidden = at.isLive;
  setText(moved, at.hasMovedOn(current, room) ? words.live_moved_on : words.back_to_live);
  root.classList.toggle('is-looking-back', !at.isLive);
  const link = part(steps, 'address');
  const url = new URL(`${address}/boards/${boardKey(board)}?${query}`, location.href);
  url.searchParams.set('room', room);
  if (!at.isLive) {
    url.searchParams.set('call', view.calls);
    url.searchParams.set('card', view.cards);
  }
  link.href = url;
  link.hidden = false;
  setText(link, at.isLive ? words.board_page : words.link_here);
}

/** A released board unfolds at the pace of the table; where that is not known, at reading speed. */
async function playAsLive(room) {
  const at = looking.in(room);
  const board = at.isLive ? shownLive(room).board : at.board(null);
  const answer = await fetch(`/api${address}/boards/${boardKey(board)}?${query}`).catch(() => null);
  const resource = answer?.ok ? await answer.json() : {};
  looking.play(room, paceOf(resource[room], recordedIn(board, room)) ?? undefined);
}

/** The position that the room in use shows. */
function where() {
  const at = looking.in(active);
  const { board, position } = at.isLive ? shownLive(active) : { board: at.board(null), position: at.position };
  if (!board) return null;
  const { segment, number, calls, cards } = tableView(state, board, active, position);
  return { segment, board: number, room: active, call: calls, card: cards };
}

/** How long a room has been waiting for its next call or card, by our own clock: also with a delay it is right. */
function tick() {
  for (const [room, { root, heard }] of rooms) {
    const clock = part(root, 'clock');
    if (!clock) continue;
    const waiting = heard && looking.in(room).isLive && currentBoard(state, room)?.[room].state === 'in_play';
    const seconds = waiting ? Math.floor((Date.now() - heard) / 1000) : 0;
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    setText(clock, waiting ? phrase(words.waiting, { time }) : '');
  }
}

/** Whether the board lock keeps a room from showing its latest. */
function isHeldBack(view, current) {
  return !view.atEnd || view.segment !== current.segment || view.number !== current.number;
}

function use(room) {
  active = room;
  commenting.draw();
}

function receive(event) {
  if (event.name !== 'snapshot' && isKnown(state, event.id)) return;
  const before = state;
  state = fold(state, event);
  notices.tell(event, before, state);
  looking.follow();
  if (rooms.has(event.data.room) && event.name !== 'comment') rooms.get(event.data.room).heard = Date.now();
  if (event.name === 'comment') talk.add(event.data, state);
  // Who looks back in a room is not told what happens there now.
  if (!rooms.has(event.data.room) || looking.in(event.data.room).isLive) announcer.tell(event, state);
  drawSoon();
  // The correction period is over and nothing more is due: let the connection go after a last look round.
  if (event.name === 'closed') setTimeout(() => stream.end(), 10_000);
}

function showConnection(connection) {
  const over = connection === 'ended' && !['closed', 'void'].includes(state.status);
  const chip = part(document, 'connection');
  chip.hidden = connection !== 'reconnecting' && !over;
  setText(chip, connection === 'reconnecting' ? words.reconnecting : over ? words.ended : '');
  if (['live', 'polling'].includes(connection)) updated = new Date();
  const told = part(document, 'updated');
  told.hidden = connection === 'live' || (chip.hidden && connection !== 'polling');
  const time = updated.toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit' });
  setText(told, told.hidden ? '' : connection === 'polling' ? words.polling : phrase(words.updated, { time }));
}

/** The whole state anew, where a cursor cannot be continued: this page, asked for again, carries it. */
async function takeWholeState() {
  const here = new URL(location.href);
  here.searchParams.delete('at');
  const answer = await fetch(here).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  receive({ name: 'snapshot', id: null, data: JSON.parse(fresh.getElementById('state').textContent) });
}

/** To the page of the board before or after the one a room shows; not to one that nobody has opened. */
function turnTo(way) {
  const shown = looking.in(active).isLive ? shownLive(active).board : looking.in(active).board(null);
  const place = (state.boards ?? []).findIndex((board) => isSame(board, shown));
  const next = state.boards?.[place + way];
  if (place < 0 || !next || state.boards.indexOf(next) > lastOpened()) return false;
  const url = new URL(`${address}/boards/${boardKey(next)}`, location.href);
  url.search = query;
  location.assign(url);
  return true;
}

function lastOpened() {
  return Math.max(...ROOMS.map((room) => (state.boards ?? []).indexOf(currentBoard(state, room))));
}

const stream = new MatchStream({
  streamUrl: `${address}/events${encoding}`,
  pollUrl: `/api${address}/events${encoding}`,
  cursor: () => state.last_event,
  onEvent: receive,
  onState: showConnection,
  onStale: takeWholeState,
  glances: () => notices.areWanted,
});

function watchLock() {
  try {
    lock.checked = localStorage.getItem('lock-boards') === 'yes';
  } catch {
    // Storage is closed to us; the lock then lasts as long as the page.
  }
  lock.closest('label').hidden = false;
  lock.addEventListener('change', () => {
    try {
      if (lock.checked) localStorage.setItem('lock-boards', 'yes');
      else localStorage.removeItem('lock-boards');
    } catch {
      // As above.
    }
    drawSoon();
  });
}

for (const [room, { root }] of rooms) {
  watchStepBar(
    root,
    (name) => (name === 'as-live' ? playAsLive(room) : looking.step(room, name)),
    (place, isFirst) => looking.slide(room, place, isFirst),
  );
  for (const kind of ['pointerdown', 'focusin']) root.addEventListener(kind, () => use(room));
}
listenForKeys((name) => {
  if (name === 'next' || name === 'previous') return turnTo(name === 'next' ? 1 : -1);
  if (name === 'play' && !looking.canPlay(active)) return false;
  looking.step(active, name);
  return true;
});
watchTabs(use);
watchLock();
draw();
setInterval(tick, 1_000);
if (state.status !== 'closed' && state.status !== 'void') stream.start();
