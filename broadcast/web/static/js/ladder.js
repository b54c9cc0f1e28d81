// A ladder's page, live: rows that changed are drawn anew and marked, rows that moved go to their place.
//
// The page came whole from the server, so a row is only drawn here when an event brings it. Where the cursor cannot be
// continued, the whole ladder is asked for and every row drawn.

import { h, part, phrase, readJson, setText } from './dom.js';
import { isKnown } from './fold.js';
import { followed } from './follow.js';
import { dayText, moveSentence, rowNews, timeText } from './ladder_words.js';
import { MatchStream } from './stream.js';
import { keptQuery } from './ways.js';

const NEW_FOR = 14 * 86_400_000;
const TOLD = 2;
const MOST_STEPS = 40;

const live = readJson('live');
const address = `/ladders/${encodeURIComponent(live.id)}`;
const query = keptQuery();
const encoding = new URLSearchParams(query).get('results') === 'hidden' ? '?results=hidden' : '';
const list = part(document, 'rows');
const log = part(document, 'steps');
const isStill = matchMedia('(prefers-reduced-motion: reduce)');
const state = { last_event: live.last_event };
const rungs = new Map(); // what stands in the list, by team; teams of one step may share a rung for a moment
const changed = new Map();
let gone = new Set();
let updated = new Date();
let frame = 0;

for (const item of list?.children ?? []) {
  rungs.set(item.id.slice('team-'.length), { item, rung: Number(cell(item, 'rung-number').textContent) });
}

function cell(item, name) {
  return item.getElementsByClassName(name)[0];
}

function link(path, text) {
  return h('a', { href: query ? `${path}?${query}` : path }, text);
}

// --- drawing --------------------------------------------------------------------------------------------------------

function changeNode({ at, from, to }) {
  const title = timeText(at, live);
  const isNew = from === null && Date.parse(at) > Date.now() - NEW_FOR;
  if (isNew) return h('span', { class: 'change is-new', title }, live.new);
  if (from === null || to === from) return h('span', { class: 'change' });
  const [mark, word, style] = to < from ? ['▲', live.up, 'is-up'] : ['▼', live.down, 'is-down'];
  return h('span', { class: `change ${style}`, title }, h('span', { 'aria-hidden': 'true' }, mark), h('span', { class: 'sr' }, `${word} `), Math.abs(from - to));
}

function formNode(form) {
  const marks = (form ?? []).map((result) => h('i', { class: `is-${result}` }));
  const said = marks.length ? h('span', { class: 'sr' }, `${live.last_matches} ${form.map((result) => live[result]).join(', ')}`) : '';
  return h('span', { class: 'form-marks' }, ...marks, said);
}

function newsNodes(row) {
  return rowNews(row, Date.now(), live).flatMap(({ text, path }, place) => [...(place ? [' · '] : []), path ? link(path, text) : text]);
}

function newRow(row) {
  return h(
    'li',
    { class: 'rung', id: `team-${row.team.id}` },
    h('span', { class: 'rung-number' }),
    ' ',
    h('span', { class: 'change' }),
    ' ',
    h('span', { class: 'rung-team' }, link(live.team_address + row.team.id, row.team.name)),
    ' ',
    h('span', { class: 'form-marks' }),
    ' ',
    h('span', { class: 'rung-state' }),
    live.is_captain ? h('div', { class: 'rung-act' }) : '',
  );
}

function drawRow(row) {
  const known = rungs.get(row.team.id);
  const item = known?.item ?? newRow(row);
  rungs.set(row.team.id, { item, rung: row.rung });
  setText(cell(item, 'rung-number'), String(row.rung));
  setText(cell(item, 'rung-team').firstElementChild, row.team.name);
  cell(item, 'change').replaceWith(changeNode(row.change));
  cell(item, 'form-marks').replaceWith(formNode(row.form));
  cell(item, 'rung-state').replaceChildren(...newsNodes(row));
  return item;
}

/** Everything that came since the last frame. Rows keep their height, so nothing else moves. */
function draw() {
  frame = 0;
  if (!list) return location.reload(); // the first team has entered an empty ladder
  const before = new Map([...rungs.values()].map(({ item }) => [item, item.getBoundingClientRect().top]));
  const items = [...changed.values()].map(drawRow);
  for (const team of gone) {
    rungs.get(team)?.item.remove();
    rungs.delete(team);
  }
  changed.clear();
  gone = new Set();
  const ordered = [...rungs.values()].sort((one, other) => one.rung - other.rung);
  const focus = document.activeElement;
  ordered.forEach(({ item }, place) => list.children[place] !== item && list.insertBefore(item, list.children[place] ?? null));
  if (focus !== document.activeElement) focus.focus({ preventScroll: true });
  for (const item of items) mark(item, before.get(item));
  setText(part(document, 'count'), phrase(rungs.size === 1 ? live.count_one : live.count, { number: rungs.size }));
  showMine();
  askTargets();
}

function mark(item, top) {
  item.classList.remove('is-changed');
  void item.offsetWidth; // begin the mark anew
  item.classList.add('is-changed');
  const shift = top === undefined ? 0 : top - item.getBoundingClientRect().top;
  if (shift && !isStill.matches) item.animate([{ transform: `translateY(${shift}px)` }, { transform: 'none' }], { duration: 400, easing: 'ease-out' });
}

function drawSoon() {
  frame ||= requestAnimationFrame(draw);
}

let step = { moves: [] };

/** Moves of one step come one after another and are one entry of the log. */
function tell(move) {
  if (!log || move.from === move.to) return;
  if (step.at !== move.at || step.challenge !== move.challenge) {
    step = { at: move.at, challenge: move.challenge, moves: [], entry: h('span') };
    log.prepend(h('li', { class: 'move', 'data-step': move.at }, h('time', { datetime: move.at }, dayText(move.at, live)), ' ', step.entry));
    if (log.children.length > MOST_STEPS) log.lastElementChild.remove();
  }
  step.moves.push(moveSentence(move, live));
  const rest = step.moves.length - TOLD;
  const told = [...step.moves.slice(0, TOLD), ...(rest > 0 ? [phrase(live.and_others, { number: rest })] : [])];
  step.entry.replaceChildren(told.join(live.joint));
  for (const [path, name] of [['/challenges/', 'challenge'], ['/matches/', 'match']]) {
    if (move[name]) step.entry.append(' · ', link(path + move[name], live[`the_${name}`]));
  }
}

// --- my team --------------------------------------------------------------------------------------------------------

/** The team that the address or the session says is mine, else the first on the ladder that is followed. */
function showMine() {
  const kept = followed.read();
  const mine = live.team ?? [...rungs.keys()].find((team) => kept.has(`team/${team}`));
  for (const [team, { item }] of rungs) item.classList.toggle('is-mine', team === mine || kept.has(`team/${team}`));
  const jump = part(document, 'to-mine');
  const found = rungs.get(mine);
  jump.hidden = !found;
  if (!found) return;
  jump.href = `#team-${mine}`;
  const where = jump.querySelector('span') ?? jump.appendChild(h('span', { class: 'muted' }));
  setText(where, phrase(live.rung, { rung: found.rung }));
}

let asked = 0;

/** What the captain may do with each row now: the server is asked the same that it asks itself. */
async function askTargets() {
  if (!live.is_captain) return;
  const round = ++asked;
  const answer = await fetch(`/api${address}/targets?team=${encodeURIComponent(live.team)}&lang=${live.language}`).catch(() => null);
  if (round !== asked || !answer?.ok) return;
  const { version, targets } = await answer.json();
  for (const target of targets) {
    const act = rungs.get(target.team.id) && cell(rungs.get(target.team.id).item, 'rung-act');
    if (act) drawTarget(act, target, version);
  }
}

function drawTarget(act, target, version) {
  const form = act.querySelector('form');
  if (form) form.elements.version.value = version;
  const said = act.querySelector('p')?.textContent ?? '';
  if (said === (target.words ?? '') && Boolean(form) === target.allowed) return;
  act.replaceChildren();
  if (target.allowed) act.append(challengeForm(target, version));
  if (target.words) act.append(h('p', {}, target.words));
}

function challengeForm({ team }, version) {
  const fields = { team: live.team, opponent: team.id, version, key: crypto.randomUUID?.() ?? String(Math.random()) };
  return h(
    'form',
    { method: 'post', action: query ? `${address}/challenge?${query}` : `${address}/challenge` },
    ...Object.entries(fields).map(([name, value]) => h('input', { type: 'hidden', name, value })),
    h('button', { class: 'button', 'aria-label': phrase(live.challenge_team, { team: team.name }) }, live.challenge),
  );
}

// --- the stream -----------------------------------------------------------------------------------------------------

function receive({ name, id, data }) {
  if (name !== 'snapshot' && isKnown(state, id)) return;
  if (id) state.last_event = id;
  if (name === 'snapshot') takeWhole(data);
  else {
    for (const row of data.rows) changed.set(row.team.id, row);
    if (name === 'rung') {
      if (data.to === null) gone.add(data.team.id);
      tell(data);
    }
  }
  drawSoon();
}

function takeWhole(ladder) {
  if (ladder.last_event) state.last_event = ladder.last_event;
  for (const team of rungs.keys()) gone.add(team);
  for (const row of ladder.rungs) {
    gone.delete(row.team.id);
    changed.set(row.team.id, row);
  }
}

async function askWhole() {
  const answer = await fetch(`/api${address}${encoding}`).catch(() => null);
  if (answer?.ok) receive({ name: 'snapshot', id: null, data: await answer.json() });
}

function showConnection(connection) {
  const chip = part(document, 'connection');
  chip.hidden = connection !== 'reconnecting';
  setText(chip, chip.hidden ? '' : live.reconnecting);
  if (connection === 'live') updated = new Date();
  const told = part(document, 'updated');
  told.hidden = chip.hidden;
  const time = updated.toLocaleTimeString(document.documentElement.lang, { hour: '2-digit', minute: '2-digit' });
  setText(told, chip.hidden ? '' : phrase(live.updated, { time }));
}

new MatchStream({
  streamUrl: `${address}/events${encoding}`,
  pollUrl: `/api${address}/events${encoding}`,
  cursor: () => state.last_event,
  onEvent: receive,
  onState: showConnection,
  onStale: askWhole,
  glances: () => false,
}).start();

document.addEventListener('click', (event) => event.target.closest('[data-follow]') && showMine());
showMine();
