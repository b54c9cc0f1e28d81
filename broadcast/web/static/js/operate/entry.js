// What can be entered now: the bidding box, the cards of the hand to play, or how to go on when a board is over.
//
// What the server says is legal is enabled. The rest can be tapped for the reason, which stands in `view.refused`;
// from there the operator may record what the table let stand.

import { h, phrase, suitNode } from '../dom.js';
import { handsOf, leftOf } from './ahead.js';

const STRAINS = ['NT', 'S', 'H', 'D', 'C'];

export class EntryPanel {
  /** @param {{words: object, naming: object, act: object}} options `act` has a function for each thing that can be done */
  constructor(options) {
    Object.assign(this, options);
  }

  /** @param {{on: boolean, text: string}} alert whether the next call is alerted, and its explanation */
  draw(view, now, seat, alert) {
    const draw = {
      auction: () => [this.#alertLast(now, alert), ...this.#box(view, now, seat, this.#alert(alert, seat))],
      either: () => [this.#note(this.words.maybe_over), ...this.#allHands(view, now), ...this.#box(view, now, seat)],
      play: () => (seat ? this.#hand(view, now, seat) : this.#allHands(view, now)),
      claim: () => this.#claim(view),
      over: () => this.#over(view),
      skipped: () => this.#over(view),
      none: () => this.#over(view),
      no_deal: () => this.#noDeal(view),
      waiting: () => [this.#note(this.words.next_needs_network)],
      closed: () => [this.#note(this.words.match_closed)],
    };
    return draw[now.phase]();
  }

  #note(text) {
    return h('p', { class: 'op-note' }, text);
  }

  /** Partner alerts when the call stands already: then it is the last one that is meant. */
  #alertLast(now, { on }) {
    const last = now.auction.at(-1);
    if (!on || !last) return '';
    const entry = h('b', {}, ...this.naming.entry({ ...last, type: 'call', alert: false }));
    const button = this.#button('op-choice op-alert-last', '', () => this.act.alertLast());
    button.append(...this.naming.fill(this.words.alert_last, { entry }));
    return button;
  }

  #alert({ on, text }, seat) {
    const { words, naming } = this;
    const button = this.#button('op-toggle', words.alert_button, () => this.act.alert());
    button.setAttribute('aria-pressed', String(on));
    button.dataset.action = 'alert';
    if (!on) return [button];
    const field = h('input', {
      type: 'text',
      class: 'op-explanation',
      maxlength: '500',
      autocomplete: 'off',
      enterkeyhint: 'done',
      placeholder: phrase(words.explanation_of, { seat: naming.seat(seat) }),
      'aria-label': phrase(words.explanation_of, { seat: naming.seat(seat) }),
      'data-action': 'explanation',
    });
    field.value = text;
    field.addEventListener('input', () => this.act.explain(field.value));
    return [button, field];
  }

  #box(view, now, seat, alert = []) {
    const { words, naming } = this;
    const key = (call, ...content) => {
      const reason = this.#reason(view, now, seat, 'calls', call);
      const button = this.#button(`op-key${reason ? ' is-off' : ''}`, '', () => this.act.call(call, seat ?? undefined));
      button.setAttribute('aria-label', reason ? `${naming.call(call)}: ${naming.spoken(reason.message)}` : naming.call(call));
      if (reason) button.setAttribute('aria-disabled', 'true');
      button.dataset.call = call;
      button.append(...content);
      return button;
    };
    const bids = STRAINS.flatMap((strain) =>
      [1, 2, 3, 4, 5, 6, 7].map((level) =>
        key(`${level}${strain}`, String(level), strain === 'NT' ? h('small', {}, 'NT') : suitNode(strain)),
      ),
    );
    const calls = [key('Pass', words.pass), key('X', 'X'), key('XX', 'XX')];
    return [
      h(
        'div',
        { class: 'op-box-head' },
        h('h2', { class: 'op-title' }, phrase(words.bidding_box, { seat: naming.seat(seat) })),
        ...alert,
      ),
      h('div', { class: 'op-bids', 'data-sure': String(now.sure) }, ...bids),
      h('div', { class: 'op-calls', 'data-sure': String(now.sure) }, ...calls),
    ];
  }

  #hand(view, now, seat) {
    const { words, naming } = this;
    const cards = handsOf(view.board.deal)[seat];
    const played = new Set(now.play.map(({ card }) => card));
    return [
      h('h2', { class: 'op-title' }, phrase(this.#handTitle(view, now, seat), { seat: naming.seat(seat) })),
      h(
        'div',
        { class: 'op-cards', 'data-sure': String(now.sure) },
        ...cards.map((card) => this.#card(view, now, seat, card, played.has(card))),
      ),
    ];
  }

  #handTitle(view, now, seat) {
    const { declarer } = view.board;
    if (!now.play.length) return this.words.opening_lead;
    return declarer && leftOf(leftOf(declarer)) === seat ? this.words.dummy_hand : this.words.hand_of;
  }

  #card(view, now, seat, card, isPlayed) {
    const { naming } = this;
    const reason = isPlayed ? null : this.#reason(view, now, seat, 'cards', card);
    const marks = [isPlayed && 'is-played', reason && 'is-off'].filter(Boolean);
    const button = this.#button(['op-card', ...marks].join(' '), '', () => this.act.card(seat, card));
    button.disabled = isPlayed;
    button.dataset.card = card;
    button.setAttribute('aria-label', reason ? `${naming.card(card)}: ${naming.spoken(reason.message)}` : naming.card(card));
    if (reason) button.setAttribute('aria-disabled', 'true');
    button.append(h('span', { class: 'op-rank' }, naming.rank(card)), suitNode(card[0]));
    return button;
  }

  /** When only the server knows who is to play, every hand may. */
  #allHands(view, now) {
    const hands = [...'NESW'].flatMap((seat) => this.#hand(view, now, seat));
    return [this.#note(now.phase === 'play' ? this.words.any_hand : ''), ...hands];
  }

  #reason(view, now, seat, kind, code) {
    if (!now.sure) return null;
    if (seat !== now.turn) return view.refused.seats[seat] ?? null;
    return view.refused[kind][code] ?? null;
  }

  #claim(view) {
    const claim = view.board.claims.at(-1);
    const { words, naming } = this;
    return [
      h('h2', { class: 'op-title' }, phrase(words.pending_claim, { seat: naming.seat(claim.seat), tricks: claim.tricks })),
      this.#score(view, claim.tricks),
      this.#button('button button-main op-wide', words.accept, () => this.act.answer(true)),
      this.#button('button op-wide', words.play_on, () => this.act.answer(false)),
    ];
  }

  #score(view, tricks) {
    if (!view.scores.length) return '';
    return h('p', { class: 'op-score' }, phrase(this.words.score_ns, { score: this.naming.signed(view.scores[tricks]) }));
  }

  #over(view) {
    const { words } = this;
    const { board } = view;
    const next = view.next_board;
    const shown = [];
    if (board?.skipped) {
      shown.push(h('h2', { class: 'op-title' }, phrase(words.board_skipped, { number: board.number, reason: board.skipped })));
      shown.push(this.#button('button op-wide', words.reopen_it, () => this.act.reopen(board)));
    } else if (board) {
      shown.push(h('h2', { class: 'op-title' }, phrase(words.board_over, { number: board.number })));
      if (board.contract && board.contract !== 'Pass' && board.tricks !== null) {
        const result = `${board.declarer} ${this.naming.result(board.contract, board.tricks)}`;
        shown.push(h('p', { class: 'op-score' }, this.naming.callNode(board.contract), ` ${result}`));
      } else {
        shown.push(h('p', { class: 'op-score' }, words.phase[board.state] ?? ''));
      }
      if (board.score_ns !== null) {
        shown.push(h('p', {}, phrase(words.score_ns, { score: this.naming.signed(board.score_ns) })));
      }
    } else {
      shown.push(h('p', { class: 'op-note' }, words.no_board), h('p', { class: 'op-note' }, words.how_to));
    }
    if (!next) return [...shown, this.#note(words.all_played)];
    const open = this.#button('button button-main op-wide', phrase(words.open_next, { number: next.board }), () =>
      this.act.open(next),
    );
    open.dataset.main = '';
    return [...shown, open];
  }

  #noDeal(view) {
    const { words } = this;
    const open = this.#button('button button-main op-wide', words.enter_deal, () =>
      this.act.deal({ segment: view.board.segment, board: view.board.number }),
    );
    const result = this.#button('button op-wide', words.result_only, () => this.act.result());
    return [this.#note(words.no_deal), open, result];
  }

  #button(kind, label, act) {
    const button = h('button', { type: 'button', class: kind }, label);
    button.addEventListener('click', act);
    return button;
  }
}
