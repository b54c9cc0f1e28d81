// Draws one room from a table view. It patches the markup of templates/vugraph/_room.html, part by part: cards and
// calls fade in where their place is kept, and what has not changed is not touched.

import { callNode, cardNode, h, isolated, part, phrase, rankText, redraw, setText, suitNode } from './dom.js';
import { GRID, SEATS, resultOf, withSign } from './view.js';

const PLACES = 'NWES';

export function drawRoom(root, match, view, words) {
  if (!root.querySelector('.table')) build(root, words);
  drawHead(root, match, view, words);
  for (const seat of SEATS) drawHand(root.querySelector(`.hand-${seat}`), view.hands[seat], words);
  drawTrick(part(root, 'trick'), view, words);
  drawAuction(part(root, 'auction'), view, words);
  drawStatus(root, view, words);
  drawLastTrick(part(root, 'last-trick'), view, words);
}

/** The table of a room in which no board had been opened when the page was made. */
function build(root, words) {
  part(root, 'empty')?.remove();
  const group = (name) => h('div', { class: name, 'data-part': name });
  const head = root.querySelector('.room-head');
  head.append(
    h('p', { class: 'room-teams' }),
    h('p', { class: 'room-clock', 'data-part': 'clock', 'aria-hidden': 'true' }),
    h('p', { class: 'room-state', 'data-part': 'phase' }),
  );
  const table = h(
    'div',
    { class: 'table' },
    h('div', { class: 'board-plate', 'data-part': 'plate' }),
    ...[...PLACES].map((seat) =>
      h(
        'div',
        { class: `hand hand-${seat}`, 'data-seat': seat },
        h(
          'p',
          { class: 'plate' },
          h('abbr', { class: 'seat', title: words.seat[seat] }, seat),
          h('span', { class: 'name' }),
          h('span', { class: 'dealer', title: words.dealer }),
        ),
      ),
    ),
    h(
      'div',
      { class: 'trick', 'data-part': 'trick', role: 'group', 'aria-label': words.on_table },
      ...[...PLACES].map((seat) => h('span', { class: `place place-${seat}`, 'data-seat': seat })),
    ),
    h(
      'div',
      { class: 'auction', 'data-part': 'auction', tabindex: '0', role: 'group', 'aria-label': words.auction },
      h('table', {}, h('thead', {}, h('tr', {}, ...[...GRID].map((seat) => h('th', { scope: 'col' }, h('abbr', { title: words.seat[seat] }, seat))))), h('tbody')),
    ),
    h(
      'div',
      { class: 'status-box' },
      h('div', { class: 'contract-box', 'data-part': 'contract' }),
      h('dl', { class: 'tricks', 'data-part': 'tricks' }, ...['ns', 'ew'].map((side) => h('div', {}, h('dt', {}, words[side]), h('dd', { 'data-part': `tricks-${side}` })))),
    ),
    group('last-trick'),
  );
  head.after(table);
}

function drawHead(root, match, view, words) {
  const teams = { ns: view.hands.N.team, ew: view.hands.E.team };
  redraw(root.querySelector('.room-teams'), [teams, match.home.name, match.visitors.name], () => [
    h('span', { class: teams.ns }, `${words.ns} ${isolated(match[teams.ns].name)}`),
    ' ',
    h('span', { class: teams.ew }, `${words.ew} ${isolated(match[teams.ew].name)}`),
  ]);
  const phase = part(root, 'phase');
  phase.dataset.phase = view.phase;
  setText(phase, words.phase[view.phase] ?? view.phase);
  redraw(part(root, 'plate'), [view.number, view.dealer, view.vulnerable], () => [
    h('p', { class: 'board-number' }, h('span', {}, words.board_word), ' ', h('b', {}, view.number)),
    h('p', {}, view.dealer ? `${words.dealer} ${words.seat[view.dealer]}` : ''),
    h('p', { class: view.vulnerable === 'None' ? '' : 'is-vulnerable' }, words.vulnerable[view.vulnerable]),
  ]);
}

function drawHand(root, hand, words) {
  root.className = [
    'hand',
    `hand-${hand.seat}`,
    hand.team,
    hand.isTurn && 'is-turn',
    hand.vulnerable && 'is-vulnerable',
    hand.isDummy && 'is-dummy',
  ]
    .filter(Boolean)
    .join(' ');
  setText(root.querySelector('.name'), hand.name ?? words.seat[hand.seat]);
  setText(root.querySelector('.dealer'), hand.isDealer ? 'D' : '');
  const cards = hand.suits && hand.suits.map(({ cards }) => cards.map(({ card }) => card));
  const shown = root.querySelector('.suits, .no-hand');
  if (root.dataset.cards !== JSON.stringify(cards)) {
    root.dataset.cards = JSON.stringify(cards);
    const fresh = handNode(hand, words);
    if (shown) shown.replaceWith(fresh);
    else root.append(fresh);
    return;
  }
  for (const { card, played } of (hand.suits ?? []).flatMap((row) => row.cards)) {
    root.querySelector(`[data-card="${card}"]`).classList.toggle('played', played);
  }
}

function handNode(hand, words) {
  if (!hand.suits) return h('p', { class: 'no-hand' }, words.deal_not_shown);
  const rank = ({ card, played }) =>
    h('span', { class: played ? 'rank played' : 'rank', 'data-card': card }, rankText(card));
  return h(
    'ul',
    { class: 'suits' },
    ...hand.suits.map(({ suit, cards }) =>
      h(
        'li',
        {},
        suitNode(suit),
        h('span', { class: 'ranks' }, ...(cards.length ? cards.map(rank) : [h('span', { class: 'void' }, '–')])),
      ),
    ),
  );
}

function drawTrick(root, view, words) {
  for (const seat of PLACES) {
    const place = root.querySelector(`.place-${seat}`);
    place.classList.toggle('is-turn', view.turn === seat);
    place.classList.toggle('is-winner', view.trick?.winner === seat);
    const card = view.trick?.cards[seat];
    const call = view.trick ? null : view.lastCalls[seat];
    const changed = redraw(place, [view.trick?.number ?? 0, card ?? call ?? null, card ? 0 : view.calls], () =>
      card ? [cardNode(card)] : call ? [h('span', { class: 'call-face' }, callNode(call, words))] : [],
    );
    if (changed === 'changed' && place.firstElementChild) fadeIn(place.firstElementChild);
  }
}

function fadeIn(element) {
  element.classList.add('is-new');
  element.addEventListener('animationend', () => element.classList.remove('is-new'), { once: true });
}

function drawAuction(root, view, words) {
  [...GRID].forEach((seat, column) => {
    root.querySelectorAll('th')[column].classList.toggle('is-vulnerable', view.hands[seat].vulnerable);
  });
  const rows = Math.ceil(view.grid.length / 4);
  root.classList.toggle('is-long', rows > 5);
  const changed = redraw(root.querySelector('tbody'), view.grid, () =>
    Array.from({ length: rows }, (_, row) =>
      h('tr', {}, ...view.grid.slice(4 * row, 4 * row + 4).map((cell) => h('td', {}, cell && gridCall(cell, view.room, words)))),
    ),
  );
  if (changed) root.scrollTop = root.scrollHeight;
}

function gridCall(cell, room, words) {
  const shown = callNode(cell.call, words);
  if (!cell.alert && !cell.explanation && !cell.irregular) {
    return h('span', { class: cell.call === 'Pass' ? 'call is-pass' : 'call' }, shown);
  }
  const tip = `tip-${room}-${cell.index}`;
  const told = cell.explanation || (cell.alert && !cell.irregular ? words.alert : '');
  const irregular = cell.irregular ? (words.irregular[cell.irregular] ?? cell.irregular) : '';
  return h(
    'span',
    { class: 'alerted' },
    h('button', { type: 'button', class: cell.irregular ? 'call is-irregular' : 'call', 'aria-describedby': tip }, shown),
    h('span', { class: 'tip', role: 'tooltip', id: tip }, [irregular, told].filter(Boolean).join(' · ')),
  );
}

function drawStatus(root, view, words) {
  const { contract, declarer, tricks, phase, scoreNs } = view;
  redraw(part(root, 'contract'), [contract, declarer, tricks, phase, scoreNs], () => {
    const line = contract && contract !== 'Pass'
      ? h(
          'p',
          { class: 'contract-line' },
          callNode(contract, words),
          ' ',
          h('span', { class: 'declarer' }, declarer),
          tricks === null ? '' : ' ',
          tricks === null ? '' : h('b', { class: 'made' }, resultOf(contract, tricks)),
        )
      : h('p', { class: phase === 'passed_out' ? 'contract-line' : 'contract-line is-open' }, words.phase[phase] ?? phase);
    return scoreNs === null ? [line] : [line, h('p', { class: 'score-ns' }, `${words.ns} `, h('b', {}, withSign(scoreNs)))];
  });
  const sides = part(root, 'tricks').children;
  sides[0].className = view.hands.N.team;
  sides[1].className = view.hands.E.team;
  setText(part(root, 'tricks-ns'), String(view.tricksNs));
  setText(part(root, 'tricks-ew'), String(view.tricksEw));
}

function drawLastTrick(root, view, words) {
  const trick = view.lastTrick;
  const wasOpen = root.querySelector('details')?.open ?? false;
  redraw(root, trick, () =>
    trick
      ? [
          h(
            'details',
            { open: wasOpen },
            h('summary', {}, words.last_trick),
            h(
              'p',
              {},
              ...Object.entries(trick.cards).map(([seat, card]) =>
                h('span', { class: trick.winner === seat ? 'is-winner' : '' }, h('abbr', { title: words.seat[seat] }, seat), cardNode(card)),
              ),
            ),
          ),
        ]
      : [],
  );
}

/** A sentence for a title or a label: "3♠ by South". */
export function contractWords(contract, declarer, words) {
  if (contract === 'Pass') return words.passed_out;
  const suit = contract.slice(1).startsWith('NT') ? words.suit.N : words.suit[contract[1]];
  const doubled = /XX$/.test(contract) ? ' XX' : /X$/.test(contract) ? ' X' : '';
  return phrase(words.by, { contract: `${contract[0]} ${suit}${doubled}`, seat: words.seat[declarer] });
}
