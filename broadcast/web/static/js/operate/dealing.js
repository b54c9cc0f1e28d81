// A deal entered by tapping or typing: thirteen cards to each hand, the last hand fills itself.

import { h, phrase, rankText, suitNode } from '../dom.js';

const RANKS = 'AKQJT98765432';
const SEATS = ['N', 'E', 'S', 'W'];

export class Dealing {
  /** @param {{dialogs: object, words: object, naming: object}} options */
  constructor(options) {
    Object.assign(this, options);
    this.board = null;
  }

  get isOpen() {
    return this.board !== null && this.dialogs.isOpen;
  }

  open(board) {
    this.board = board;
    this.owner = new Map();
    this.seat = 'N';
    this.dialogs.element.addEventListener('close', () => (this.board = null), { once: true });
    this.#draw();
  }

  /** Gives a card to the hand that is being entered; a card already given goes back. */
  give(card) {
    if (this.owner.has(card)) this.owner.delete(card);
    else if (this.#count(this.seat) < 13) this.owner.set(card, this.seat);
    if (this.#count(this.seat) === 13) this.#next();
    this.#draw();
  }

  #next() {
    const open = SEATS.filter((seat) => this.#count(seat) < 13);
    if (open.length === 1) {
      for (const card of allCards()) if (!this.owner.has(card)) this.owner.set(card, open[0]);
    } else if (open.length) {
      this.seat = SEATS[(SEATS.indexOf(this.seat) + 1) % 4];
      if (this.#count(this.seat) === 13) [this.seat] = open;
    }
  }

  #count(seat) {
    return [...this.owner.values()].filter((owner) => owner === seat).length;
  }

  #pbn() {
    const hand = (seat) =>
      [...'SHDC']
        .map((suit) => [...RANKS].filter((rank) => this.owner.get(suit + rank) === seat).join(''))
        .join('.');
    return `N:${SEATS.map(hand).join(' ')}`;
  }

  #draw() {
    const { words, naming, dialogs, board } = this;
    const seats = SEATS.map((seat) => {
      const tab = dialogs.button('op-choice', `${naming.seat(seat)} ${this.#count(seat)}`, () => {
        this.seat = seat;
        this.#draw();
      });
      tab.setAttribute('aria-pressed', String(seat === this.seat));
      tab.setAttribute('aria-label', `${naming.seat(seat)}: ${phrase(words.deal_count, { count: this.#count(seat) })}`);
      return tab;
    });
    const cards = [...allCards()].map((card) => {
      const owner = this.owner.get(card);
      const isOther = owner && owner !== this.seat;
      const marks = [owner === this.seat && 'is-given', isOther && 'is-elsewhere'].filter(Boolean);
      const button = dialogs.button(['op-card', ...marks].join(' '), '', () => this.give(card));
      button.setAttribute('aria-pressed', String(Boolean(owner)));
      button.setAttribute('aria-label', [naming.card(card), owner && naming.seat(owner)].filter(Boolean).join(', '));
      button.dataset.card = card;
      button.append(h('span', { class: 'op-rank' }, rankText(card)), isOther ? h('small', {}, owner) : suitNode(card[0]));
      return button;
    });
    const open = (deal) => () => {
      dialogs.close();
      dialogs.send({ type: 'open_board', ...board, ...(deal && { deal: this.#pbn() }) });
    };
    const withDeal = dialogs.button('button button-main op-wide', words.open_with_deal, open(true));
    withDeal.disabled = this.owner.size < 52;
    const clear = dialogs.button('button', phrase(words.deal_clear, { seat: naming.seat(this.seat) }), () => {
      for (const [card, owner] of this.owner) if (owner === this.seat) this.owner.delete(card);
      this.#draw();
    });
    const focused = document.activeElement?.dataset?.card;
    dialogs.show(
      phrase(words.deal_title, { number: board.board }),
      h('p', {}, words.deal_help),
      h('div', { class: 'op-choices op-four' }, ...seats),
      h('div', { class: 'op-deal' }, ...cards),
      withDeal,
      h('div', { class: 'op-choices' }, clear, dialogs.button('button', words.open_without_deal, open(false))),
    );
    if (focused) dialogs.element.querySelector(`[data-card="${focused}"]`)?.focus();
  }
}

function* allCards() {
  for (const suit of 'SHDC') for (const rank of RANKS) yield suit + rank;
}
