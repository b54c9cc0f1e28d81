// Draws what stands around the rooms from the state of the match: score, state chip, worth, board table, swings.
// It patches the markup of templates/_score.html and templates/vugraph/.

import { callNode, h, isolated, part, phrase, redraw, setText } from './dom.js';
import { boardKey, resultOf, signed } from './view.js';
import { keptQuery } from './ways.js';
import { drawWorth } from './worth.js';

const SVG = 'http://www.w3.org/2000/svg';
const SYMBOLS = { S: '♠', H: '♥', D: '♦', C: '♣' };
const FINISHED = new Set(['scored', 'closed', 'void']);

/** Everything around the rooms; with hidden results only what tells none. */
export function drawScoreboard(root, state, words) {
  drawChip(part(root, 'chip'), state, words);
  drawTotals(root, state, words);
  if (state.totals) drawWorth(part(root, 'worth'), state, words, !FINISHED.has(state.status));
  drawBoards(part(root, 'boards'), state, words);
  drawSwings(part(root, 'swings-place'), state, words);
}

function drawChip(chip, state, words) {
  const { status, release } = state;
  const delayed = status === 'live' && release?.rule === 'delay';
  const look = delayed ? 'delayed' : status === 'live' ? 'live' : FINISHED.has(status) ? 'finished' : 'upcoming';
  chip.className = `chip chip-${look}`;
  setText(chip, delayed ? phrase(words.delayed, { minutes: Math.round(release.seconds / 60) }) : words.chip[status]);
}

function drawTotals(root, state, words) {
  const { totals } = state;
  if (!totals) return;
  for (const side of ['home', 'visitors']) {
    const element = part(root, `imps-${side}`);
    const text = signed(totals.imps[side]);
    if (element.textContent !== text) {
      element.textContent = text;
      element.classList.remove('is-fresh');
      void element.offsetWidth; // lets the highlight run again
      element.classList.add('is-fresh');
    }
    setText(part(root, `total-${side}`), text);
  }
  const { home, visitors } = totals.imps;
  const [one, other] = [isolated(state.home.name), isolated(state.visitors.name)];
  document.title = `${one} ${signed(home)} – ${signed(visitors)} ${other} · ${isolated(state.title)}`;
  const { vps } = totals;
  const reason = totals.boards_compared && totals.vps_reason !== 'no_scale' ? (words.vps_reason[totals.vps_reason] ?? '') : '';
  const how = part(root, 'vps-how');
  redraw(part(root, 'vps'), [vps, reason], () => {
    if (!vps) return [reason];
    const figures = [`${words.vps} `, h('b', {}, vps.home.toFixed(2)), ' – ', h('b', {}, vps.visitors.toFixed(2))];
    return how ? [h('a', { href: '#vps-how' }, ...figures)] : figures;
  });
  if (how) drawVpsHow(how, state, words);
  setText(part(root, 'after'), phrase(words.after_boards, { compared: totals.boards_compared, total: totals.boards_total }));
  const lead = home - visitors;
  const ahead = lead > 0 ? 'home' : lead < 0 ? 'visitors' : null;
  const line = part(root, 'lead');
  line.className = ahead ? `lead ${ahead}` : 'lead';
  const level = totals.boards_compared ? words.level : '';
  const over = ['scored', 'closed'].includes(state.status);
  const single = Math.abs(lead) === 1;
  const pattern = over ? (single ? words.wins_by_one : words.wins_by) : single ? words.leads_by_one : words.leads_by;
  setText(line, ahead ? phrase(pattern, { team: state[ahead].name, imps: signed(Math.abs(lead)) }) : level);
  drawNeeds(part(root, 'needs'), state, ahead, Math.abs(lead), words);
}

/** Where the VPs come from, as vps_how in templates/_score.html says it. */
function drawVpsHow(how, state, words) {
  const { totals, scale, carry_over: carried } = state;
  how.hidden = !totals.vps;
  const boards = totals.boards_compared + (carried?.boards ?? 0);
  const imps = signed(Math.abs(totals.imps.home - totals.imps.visitors));
  setText(part(how, 'vps-how-text'), phrase(words.vps_how, { scale, boards, imps }));
  const link = part(how, 'vps-how-link');
  const address = new URL(link.href);
  for (const [name, value] of Object.entries({ scale, boards, imps })) address.searchParams.set(name, value);
  if (link.href !== address.href) link.href = address.href;
}

/** What the trailing side needs to be ahead, and in how many boards; nothing when level or over. */
function drawNeeds(line, state, ahead, lead, words) {
  const left = state.totals.boards_total - state.totals.boards_compared;
  const open = ahead && state.totals.boards_compared > 0 && left > 0 && !FINISHED.has(state.status);
  const behind = ahead === 'home' ? 'visitors' : 'home';
  line.className = open ? `needs ${behind}` : 'needs';
  const told = { team: state[behind].name, imps: Math.floor(lead) + 1, boards: left };
  setText(line, open ? phrase(left === 1 ? words.needs_one : words.needs, told) : '');
}

function drawBoards(table, state, words) {
  const body = table?.tBodies[0];
  if (!body) return;
  const several = (state.segments ?? []).length > 1;
  (state.boards ?? []).forEach((board, place) => {
    const key = boardKey(board);
    let row = body.querySelector(`[data-board="${key}"]`);
    if (!row) {
      row = boardRow(board, state, several);
      body.insertBefore(row, body.rows[place] ?? null);
    }
    drawRow(row, board, words);
  });
}

function boardRow(board, state, several) {
  const url = new URL(`/matches/${encodeURIComponent(state.id)}/boards/${boardKey(board)}`, location.href);
  url.search = keptQuery();
  return h(
    'tr',
    { 'data-board': boardKey(board) },
    h('th', { scope: 'row' }, h('a', { class: 'cover', href: url }, several ? h('small', {}, `${board.segment}.`) : '', board.number)),
    h('td', { 'data-part': 'open' }),
    h('td', { 'data-part': 'closed' }),
    h('td', { class: 'gain home', 'data-part': 'home' }),
    h('td', { class: 'gain visitors', 'data-part': 'visitors' }),
  );
}

function drawRow(row, board, words) {
  row.classList.toggle('is-now', board.open?.state === 'in_play' || board.closed?.state === 'in_play');
  for (const room of ['open', 'closed']) {
    const here = board[room] ?? {};
    const shown = [here.state, here.contract, here.declarer, here.tricks, here.score_ns, here.checked];
    redraw(part(row, room), shown, () => outcome(here, words));
  }
  const { imps_home: home = null, imps_visitors: visitors = null } = board;
  const bothLose = home < 0 && visitors < 0;
  const level = home === 0 && visitors === 0;
  for (const [side, imps] of [['home', home], ['visitors', visitors]]) {
    const cell = part(row, side);
    cell.classList.toggle('is-level', level);
    setText(cell, imps === null ? '' : imps > 0 || bothLose || level ? signed(imps) : '');
    if (side === 'home') {
      if (board.pending) cell.title = words.pending[board.pending] ?? '';
      else cell.removeAttribute('title');
    }
  }
}

function outcome(here, words) {
  const { state, contract, declarer, tricks, score_ns: score } = here;
  const result = (kind, ...children) => h('span', { class: kind }, ...children);
  const points = (text) => h('span', { class: 'points' }, text);
  const by = () => [callNode(contract, words), ' ', h('span', { class: 'declarer' }, declarer)];
  const tick = here.checked ? [' ', h('span', { class: 'tick', role: 'img', 'aria-label': words.checked, title: words.checked }, '✓')] : [];
  if (contract === 'Pass') return [result('result', words.passed_out, ...tick), ' ', points('0')];
  if (['played', 'claimed', 'adjusted'].includes(state) && contract) {
    return [result('result', ...by(), ' ', h('b', { class: 'made' }, resultOf(contract, tricks)), ...tick), ' ', points(signed(score))];
  }
  if (state === 'in_play') return [result('result is-now', ...(contract ? by() : [words.phase.bidding])), ' ', points('')];
  if (state === 'adjusted' || state === 'cancelled') return [result('result', words.phase[state]), ' ', points(signed(score))];
  return [result('result', ''), ' ', points('')];
}

/** The swing chart: the same geometry as swing_chart in broadcast/web/match_view.py. */
function drawSwings(place, state, words) {
  const boards = state.boards ?? [];
  if (!boards.some((board) => board.imps_home != null)) return;
  const gains = boards.map((board) => [board.number, board.imps_home ?? null, board.imps_visitors ?? null]);
  redraw(place, gains, () => [swingFigure(state, boards, words)]);
}

const [STEP, HALF] = [20, 40];

function swingFigure(state, boards, words) {
  const step = Math.max(STEP, (16 * STEP) / boards.length);
  const width = boards.length * step;
  const barWidth = step < 30 ? 12 : 20;
  const largest = Math.max(18, ...boards.map((board) => Math.abs(board.imps_home ?? 0)));
  const labelled = boards.length <= 36;
  const chart = svg('svg', {
    viewBox: `0 -12 ${width} ${2 * HALF + 30}`,
    ...(width > 400 && { class: 'is-dense' }),
    role: 'img',
    'aria-label': words.swings_label,
  });
  chart.append(svg('path', { class: 'axis', d: `M0 ${HALF}H${width}` }));
  const carried = state.carry_over ?? {};
  let lead = (carried.home ?? 0) - (carried.visitors ?? 0);
  const leads = [[0, lead]];
  boards.forEach((board, index) => {
    const x = round((index + 0.5) * step - barWidth / 2);
    const middle = round(x + barWidth / 2);
    const imps = board.imps_home;
    if (imps) {
      const side = imps > 0 ? 'home' : 'visitors';
      const height = round((Math.abs(imps) / largest) * HALF);
      const y = imps > 0 ? round(HALF - height) : HALF;
      const bar = svg('rect', { class: `bar ${side}`, x, y, width: barWidth, height, rx: 1 });
      const outcomes = ['open', 'closed'].map((room) => plainOutcome(board, room, words));
      bar.append(svg('title', {}, [gainOf(state, board, words), ...outcomes].join('. ')));
      chart.append(bar);
      const textY = round(imps > 0 ? y - 3 : y + height + 8);
      if (labelled) chart.append(svg('text', { class: `bar-imps ${side}`, x: middle, y: textY }, signed(Math.abs(imps))));
    } else if (imps === 0) {
      chart.append(svg('rect', { class: 'bar level', x, y: HALF - 1, width: barWidth, height: 2 }));
    }
    if (imps != null) {
      lead += Math.max(imps, 0) - Math.max(board.imps_visitors ?? 0, 0);
      leads.push([round((index + 0.5) * step), lead]);
    }
    if (labelled) chart.append(svg('text', { class: 'bar-board', x: middle, y: 2 * HALF + 16 }, String(board.number)));
  });
  const most = Math.max(12, ...leads.map(([, each]) => Math.abs(each)));
  const points = leads.map(([x, each]) => `${x},${round(HALF - (each / most) * (HALF - 4))}`).join(' ');
  const running = svg('svg', {
    class: 'running',
    viewBox: `0 0 ${width} ${2 * HALF}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': words.running_label,
  });
  running.append(svg('path', { class: 'axis', d: `M0 ${HALF}H${width}` }), svg('polyline', { points }));
  const caption = h(
    'figcaption',
    {},
    h('span', { class: 'home' }, `▲ ${isolated(state.home.name)}`),
    ' ',
    h('span', { class: 'visitors' }, `▼ ${isolated(state.visitors.name)}`),
  );
  const name = h('p', { class: 'running-name' }, words.running_label);
  return h('figure', { class: 'swings' }, caption, chart, ...biggestSwings(state, boards, words), name, running);
}

const BIGGEST = 3;

/** Links to the boards with the largest swings, as biggest_swings in broadcast/web/match_view.py chooses them. */
function biggestSwings(state, boards, words) {
  const swings = boards.filter((board) => board.imps_home).sort((one, other) => Math.abs(other.imps_home) - Math.abs(one.imps_home));
  if (!swings.length) return [];
  const links = swings.slice(0, BIGGEST).map((board) => {
    const url = new URL(`/matches/${encodeURIComponent(state.id)}/boards/${boardKey(board)}`, location.href);
    url.search = keptQuery();
    return h('li', {}, h('a', { class: board.imps_home > 0 ? 'home' : 'visitors', href: url.pathname + url.search }, gainOf(state, board, words)));
  });
  return [h('p', { class: 'running-name' }, words.biggest_swings), h('ul', { class: 'biggest' }, ...links)];
}

function gainOf(state, board, words) {
  const team = (board.imps_home > 0 ? state.home : state.visitors).name;
  const imps = Math.abs(board.imps_home);
  const pattern = imps === 1 ? words.say_comparison_one : words.say_comparison;
  return phrase(pattern, { number: board.number, team, imps: signed(imps) }).replace(/[.。]$/, '');
}

/** "Closed room 4♠X N −1 −100", for a title. */
function plainOutcome(board, room, words) {
  const here = board[room] ?? {};
  const contract = (here.contract ?? '').replace(/^(\d)([SHDC])/, (_, level, suit) => level + SYMBOLS[suit]).replace(/X/g, '×');
  const made = here.contract ? resultOf(here.contract, here.tricks) : '';
  return [words.room[room], contract, here.declarer, made, signed(here.score_ns)].filter(Boolean).join(' ');
}

function svg(tag, attributes, text = '') {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

function round(value) {
  return Math.round(value * 10) / 10;
}
