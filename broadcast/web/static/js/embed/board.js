// A board in a frame: stepped through like the board page, but without a word in the browser's history, which is the
// page's around it. While the board is played it follows.

import { Autoplay, readingTime } from '../autoplay.js';
import { part, phrase, readJson } from '../dom.js';
import { ROOMS, fold, isKnown } from '../fold.js';
import { watchTabs } from '../panels.js';
import { drawRoom } from '../room.js';
import { drawStepBar, placeOf, positionAt, setMode, watchStepBar } from '../step_bar.js';
import { isSame, recordedIn, stepped } from '../stepping.js';
import { MatchStream } from '../stream.js';
import { boardKey, tableView } from '../view.js';
import { askAnew, makeFrameCarrier, showContent } from './frame.js';

const words = readJson('words');
const asked = new URLSearchParams(location.search);
const positions = new Map(); // by room; one that is not here is at the end, and follows
const players = new Map();
const told = new Set(['board', 'result', 'comparison', 'correction']);
let state = stateOf(document);

function stateOf(page) {
  const { match, board, last_event } = JSON.parse(page.getElementById('state').textContent);
  return { ...match, boards: [board], last_event };
}

function addressed(room) {
  const isMine = !asked.has('room') || asked.get('room') === room;
  if (!isMine || !(asked.has('call') || asked.has('card'))) return;
  const most = recordedIn(state.boards[0], room);
  const given = (name, all) => Math.min(Number(asked.get(name) ?? all) || 0, all);
  positions.set(room, { calls: given('call', most.calls), cards: given('card', most.cards) });
}

function draw(room) {
  const root = document.getElementById(`room-${room}`);
  const [board] = state.boards;
  const steps = part(root, 'steps');
  if (!board[room]?.auction || !steps) return;
  const recorded = recordedIn(board, room);
  const view = tableView(state, board, room, positions.get(room) ?? null);
  drawRoom(root, state, view, words);
  const can = { back: view.calls > 0 || view.cards > 0, on: !view.atEnd, play: true, playing: players.get(room).isPlaying };
  drawStepBar(steps, view, recorded, can, words);
  setMode(steps, phrase(words.position, view));
}

function move(room, position) {
  const recorded = recordedIn(state.boards[0], room);
  if (placeOf(position) >= placeOf(recorded)) positions.delete(room);
  else positions.set(room, position);
  draw(room);
}

function step(room, name) {
  const recorded = recordedIn(state.boards[0], room);
  const player = players.get(room);
  if (name !== 'play') {
    player.stop();
    move(room, stepped(positions.get(room) ?? recorded, name, recorded));
  } else if (player.isPlaying) player.stop();
  else {
    if (!positions.has(room)) move(room, { calls: 0, cards: 0 });
    player.start(() => readingTime(positions.get(room) ?? recorded, recorded));
  }
}

function playerOf(room) {
  const forward = () => {
    const recorded = recordedIn(state.boards[0], room);
    move(room, stepped(positions.get(room) ?? recorded, 'forward', recorded));
    return positions.has(room);
  };
  return new Autoplay(forward, () => draw(room));
}

function begin() {
  for (const room of ROOMS) {
    players.get(room)?.stop();
    players.set(room, playerOf(room));
    const root = document.getElementById(`room-${room}`);
    watchStepBar(
      root,
      (name) => step(room, name),
      (place) => {
        players.get(room).stop();
        move(room, positionAt(place, recordedIn(state.boards[0], room)));
      },
    );
    draw(room);
  }
  watchTabs(() => {}, asked.get('room') === 'closed' ? 'closed' : 'open');
}

function receive(event) {
  if (event.name === 'snapshot') return takeWhole();
  if (isKnown(state, event.id)) return;
  const [board] = state.boards;
  const isOurs = isSame(board, { segment: event.data.segment, number: event.data.board });
  state = fold(state, isOurs || event.name === 'match' ? event : { ...event, name: 'aside' });
  if (isOurs && told.has(event.name)) takeWhole();
  else if (isOurs) for (const room of ROOMS) draw(room);
}

/** The page anew: what is said above the rooms has changed, or the cursor cannot be continued. */
async function takeWhole() {
  const fresh = await askAnew();
  if (!fresh) return;
  state = stateOf(fresh);
  showContent(fresh);
  begin();
}

const address = `/matches/${encodeURIComponent(state.id)}`;
const stream = new MatchStream(
  {
    streamUrl: `${address}/events`,
    pollUrl: `/api${address}/events`,
    cursor: () => state.last_event,
    onEvent: receive,
    onState: () => {},
    onStale: takeWhole,
    glances: () => false,
  },
  makeFrameCarrier,
);

for (const room of ROOMS) addressed(room);
begin();
document.querySelector('#content').dataset.board = boardKey(state.boards[0]);
if (state.status === 'live' || state.status === 'upcoming') stream.start();
