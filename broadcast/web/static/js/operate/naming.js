// Entries, calls and cards in words and in symbols: the same names on buttons, in notices and for screen readers.

import { callNode, cardNode, h, phrase, rankText } from '../dom.js';

export class Naming {
  constructor(words) {
    this.words = words;
  }

  seat(seat) {
    return this.words.seat[seat] ?? seat;
  }

  /** A call as it is read aloud. */
  call(call) {
    const { words } = this;
    if (call === 'Pass') return words.pass;
    if (call === 'X') return words.double;
    if (call === 'XX') return words.redouble;
    return phrase(words.bid_name, { level: call[0], suit: words.suit[call[1]] });
  }

  card(card) {
    return phrase(this.words.card_name, { rank: this.words.rank[card[1]], suit: this.words.suit[card[0]] });
  }

  callNode(call) {
    return callNode(call, this.words);
  }

  /** A phrase whose {places} may be nodes. */
  fill(pattern, values) {
    return pattern
      .split(/\{(\w+)\}/)
      .map((piece, place) => (place % 2 ? (values[piece] ?? '') : piece))
      .filter((piece) => piece !== '');
  }

  /** An entry of ours, short: "North 1♠", "Claim by South: 10". */
  entry(command) {
    const { words } = this;
    const seat = this.seat(command.seat);
    if (command.type === 'call') return this.fill(words.entry_call, { seat, call: this.callNode(command.call) });
    if (command.type === 'card') return this.fill(words.entry_card, { seat, card: cardNode(command.card) });
    const pattern = words[`entry_${command.type}`] ?? words.entry_other;
    return [phrase(pattern, { seat, tricks: command.tricks, board: command.board })];
  }

  /** An event of the room's log in the same words. */
  event({ event, data }) {
    const types = { board: 'open_board', skip: 'skip_board' };
    return this.entry({ ...data, type: types[event] ?? event });
  }

  entryText(command) {
    return h('span', {}, ...this.entry(command)).textContent;
  }

  /** Tricks against a contract: "=", "+1", "−2". */
  result(contract, tricks) {
    const over = tricks - 6 - Number(contract[0]);
    return over === 0 ? '=' : this.signed(over);
  }

  signed(number) {
    return number > 0 ? `+${number}` : String(number).replace('-', '−');
  }

  tricks(count) {
    return phrase(count === 1 ? this.words.one_trick : this.words.tricks_count, { count });
  }

  rank(card) {
    return rankText(card);
  }
}
