// The table as it stands: the board's heading, the auction, the trick, the four hands in short.

import { cardNode, h, phrase, rankText, suitNode } from '../dom.js';
import { handsOf } from './ahead.js';

const COLUMNS = 'WNES';

export class Table {
  /** @param {{words: object, naming: object, onCall: (index) => void, onSeat: (seat) => void, onResume: () => void}} options */
  constructor(options) {
    Object.assign(this, options);
  }

  /** The line at the top: which board of which room, who deals, who is vulnerable, the contract. */
  bar(view, now) {
    const { words } = this;
    const board = view.board;
    const place = h('span', { class: 'op-place' }, words.room[view.room]);
    const teams = view.teams ? phrase(words.teams, { ns: view.teams.NS, ew: view.teams.EW }) : '';
    if (!board) {
      const where = h('p', { class: 'op-board' }, h('b', {}, words.room[view.room]));
      return [where, h('p', {}, view.title), h('p', { class: 'op-facts' }, h('span', {}, teams))];
    }
    const facts = [
      `${words.dealer} ${this.naming.seat(board.dealer)}`,
      words.vulnerable[board.vulnerable],
      teams,
    ];
    return [
      h('p', { class: 'op-board' }, h('b', {}, phrase(words.board, { number: board.number })), ' ', place),
      h('p', { class: 'op-facts' }, ...facts.map((fact) => h('span', {}, fact))),
      this.#contract(view, now),
      this.#clock(view),
    ];
  }

  /** That the clock stands still, and the way to let it run. */
  #clock(view) {
    if (!view.neutral) return '';
    const run = h('button', { type: 'button', class: 'button' }, this.words.resume_clock);
    run.addEventListener('click', () => this.onResume());
    return h('p', { class: 'op-clock' }, phrase(this.words.clock_stopped, { reason: view.neutral }), ' ', run);
  }

  #contract(view, now) {
    const { contract, declarer, tricks } = view.board;
    if (!contract || now.phase === 'auction') return h('p', { class: 'op-contract' });
    if (contract === 'Pass') return h('p', { class: 'op-contract' }, this.words.passed_out);
    const made = tricks === null ? '' : h('b', {}, ` ${this.naming.result(contract, tricks)}`);
    return h('p', { class: 'op-contract' }, this.naming.callNode(contract), ` ${declarer}`, made);
  }

  auction(view, now, seat) {
    const { words } = this;
    const choosing = now.phase === 'auction' || now.phase === 'either';
    const heads = [...COLUMNS].map((each) => {
      const name = this.naming.seat(each);
      const attributes = {
        type: 'button',
        class: this.#seatClass('op-seat', view, now, each, seat),
        'aria-pressed': choosing ? String(each === seat) : null,
        disabled: !choosing,
        'aria-label': this.#seatLabel(view, now, each),
      };
      const button = h('button', attributes, h('span', { 'aria-hidden': 'true' }, name));
      button.addEventListener('click', () => this.onSeat(each));
      return h('th', { scope: 'col' }, button);
    });
    const rows = [];
    let column = 4;
    now.auction.forEach((call, index) => {
      const place = COLUMNS.indexOf(call.seat);
      if (place <= column) rows.push(h('tr', {}, ...[...COLUMNS].map(() => h('td', {}))));
      column = place;
      rows.at(-1).children[place].append(this.#call(call, index));
    });
    while (rows.length < 3) rows.push(h('tr', {}, ...[...COLUMNS].map(() => h('td', {}))));
    return h(
      'div',
      { class: 'op-auction', tabindex: '0', role: 'group', 'aria-label': words.auction },
      h('table', {}, h('thead', {}, h('tr', {}, ...heads)), h('tbody', {}, ...rows)),
    );
  }

  /** Scrolls an auction to its last call, not to the empty rows that keep its place. */
  showLast(grid) {
    const last = [...grid.querySelectorAll('.op-call')].at(-1);
    if (!last) return;
    const below = last.getBoundingClientRect().bottom - grid.getBoundingClientRect().top + grid.scrollTop;
    grid.scrollTop = Math.max(0, below + 4 - grid.clientHeight);
  }

  #call(call, index) {
    const marks = [
      call.alert && 'is-alert',
      call.irregular && 'is-irregular',
      call.waiting && 'is-waiting',
      call.call === 'Pass' && 'is-pass',
    ];
    const button = h('button', {
      type: 'button',
      class: ['op-call', ...marks.filter(Boolean)].join(' '),
      'aria-label': [
        phrase(this.words.call_title, { call: this.naming.call(call.call), seat: this.naming.seat(call.seat) }),
        call.alert && this.words.alert_button,
        call.explanation,
        call.irregular && this.words.irregular[call.irregular],
      ]
        .filter(Boolean)
        .join(', '),
    });
    button.append(this.naming.callNode(call.call));
    button.addEventListener('click', () => this.onCall(index));
    return button;
  }

  trick(view, now) {
    const { words } = this;
    const begun = now.play.length % 4 ? now.play.length - (now.play.length % 4) : Math.max(0, now.play.length - 4);
    const cards = now.play.slice(begun);
    const places = [...'NWES'].map((seat) => {
      const played = cards.find((card) => card.seat === seat);
      const marks = [
        `op-in-${seat}`,
        played?.waiting && 'is-waiting',
        played?.irregular && 'is-irregular',
        cards.at(-1)?.winner === seat && 'is-winner',
        now.turn === seat && 'is-turn',
      ];
      return h('span', { class: ['op-in', ...marks.filter(Boolean)].join(' ') }, played ? cardNode(played.card) : seat);
    });
    const count = (name, value) => h('div', {}, h('dt', {}, name), h('dd', {}, String(value)));
    return h(
      'div',
      { class: 'op-play' },
      h('div', { class: 'op-trick', role: 'group', 'aria-label': words.on_table }, ...places),
      h(
        'dl',
        { class: 'op-tricks' },
        count(words.ns, view.board.tricks_ns),
        count(words.ew, view.board.tricks_ew),
      ),
    );
  }

  /** The four hands in short; a tap chooses the hand to enter for. */
  hands(view, now, seat) {
    if (!view.board?.deal) return [];
    const hands = handsOf(view.board.deal);
    const played = new Set(now.play.map(({ card }) => card));
    const choosing = now.phase === 'play';
    return [...'NESW'].map((each) => {
      const left = hands[each].filter((card) => !played.has(card));
      const suits = [...'SHDC'].map((suit) => {
        const ranks = left.filter((card) => card[0] === suit).map(rankText);
        return h('span', { class: 'op-suit' }, suitNode(suit), ranks.join('') || '–');
      });
      const button = h(
        'button',
        {
          type: 'button',
          class: this.#seatClass(`op-hand op-hand-${each}`, view, now, each, seat),
          'aria-pressed': choosing ? String(each === seat) : null,
          disabled: !choosing,
          'aria-label': `${this.#seatLabel(view, now, each)}: ${left.map((card) => this.naming.card(card)).join(', ')}`,
        },
        h('span', { class: 'op-name' }, h('b', {}, each), ` ${view.board.players[each]?.name ?? this.naming.seat(each)}`),
        h('span', { class: 'op-suits' }, ...suits),
      );
      button.addEventListener('click', () => this.onSeat(each));
      return button;
    });
  }

  #seatClass(base, view, now, each, seat) {
    const vulnerable = { All: 'NESW', NS: 'NS', EW: 'EW', None: '' }[view.board.vulnerable];
    const marks = [
      now.turn === each && 'is-turn',
      each === seat && each !== now.turn && 'is-chosen',
      vulnerable.includes(each) && 'is-vulnerable',
    ];
    return [base, ...marks.filter(Boolean)].join(' ');
  }

  #seatLabel(view, now, each) {
    const name = view.board.players[each]?.name;
    const turn = now.turn === each ? this.words.to_act : '';
    return [this.naming.seat(each), name, turn].filter(Boolean).join(', ');
  }
}
