// A live match in a frame. It follows the stream like the match page, shows the latest and nothing else, and becomes
// the announcement, the live rooms and the archive of the match in turn, as the server makes them.

import { Announcer } from '../announcer.js';
import { callNode, part, readJson, redraw, setText } from '../dom.js';
import { ROOMS, fold, isKnown } from '../fold.js';
import { watchTabs } from '../panels.js';
import { drawRoom } from '../room.js';
import { drawScoreboard } from '../scoreboard.js';
import { MatchStream } from '../stream.js';
import { currentBoard, tableView } from '../view.js';
import { askAnew, makeFrameCarrier, showContent } from './frame.js';

const AGAIN = 2_000;
const words = readJson('words');
const content = document.getElementById('content');
const encoding = new URLSearchParams(location.search).get('results') === 'hidden' ? '?results=hidden' : '';
let state = readJson('state');
let announcer = null;
let frame = 0;
let isTurning = false;

function stageOf({ status }) {
  return status === 'live' ? 'live' : status === 'upcoming' ? 'announced' : 'over';
}

function begin() {
  const region = part(content, 'announcer');
  announcer = region && new Announcer(region, words);
  if (content.querySelector('[data-tab]')) watchTabs(() => {});
}

function draw() {
  frame = 0;
  drawScoreboard(document, state, words);
  for (const room of ROOMS) {
    const root = document.getElementById(`room-${room}`);
    const board = currentBoard(state, room);
    if (!root || !board) continue;
    const view = tableView(state, board, room);
    drawRoom(root, state, view, words);
    drawTab(content.querySelector(`[data-tab="${room}"]`), view);
  }
}

function drawTab(tab, view) {
  if (!tab) return;
  part(tab, 'dot').classList.toggle('is-live', state.status === 'live' && view.state === 'in_play');
  redraw(part(tab, 'now'), [view.contract, view.phase], () => [
    view.contract ? callNode(view.contract, words) : (words.phase[view.phase] ?? ''),
  ]);
}

function receive(event) {
  if (event.name !== 'snapshot' && isKnown(state, event.id)) return;
  state = fold(state, event);
  announcer?.tell(event, state);
  frame ||= requestAnimationFrame(draw);
  if (stageOf(state) !== content.dataset.stage) turnPage();
  if (event.name === 'closed') setTimeout(() => stream.end(), 10_000);
}

/** The page anew, where a cursor cannot be continued. */
async function startAnew() {
  const fresh = await askAnew();
  if (!fresh) return;
  state = JSON.parse(fresh.getElementById('state').textContent);
  showContent(fresh);
  begin();
  draw();
}

/** The page anew, for another stage of the match; it may be ahead of the stream, but not behind. */
async function turnPage() {
  if (isTurning) return;
  isTurning = true;
  const fresh = await askAnew();
  isTurning = false;
  if (fresh && isKnown(JSON.parse(fresh.getElementById('state').textContent), state.last_event)) {
    state = JSON.parse(fresh.getElementById('state').textContent);
    showContent(fresh);
    begin();
    draw();
  }
  if (stageOf(state) !== content.dataset.stage) setTimeout(turnPage, AGAIN);
}

function showConnection(connection) {
  const chip = part(content, 'connection');
  chip.hidden = connection !== 'reconnecting';
  setText(chip, chip.hidden ? '' : words.reconnecting);
}

const address = `/matches/${encodeURIComponent(state.id)}`;
const stream = new MatchStream(
  {
    streamUrl: `${address}/events${encoding}`,
    pollUrl: `/api${address}/events${encoding}`,
    cursor: () => state.last_event,
    onEvent: receive,
    onState: showConnection,
    onStale: startAnew,
    glances: () => false,
  },
  makeFrameCarrier,
);

begin();
draw();
if (state.status !== 'closed' && state.status !== 'void') stream.start();
