// Entries, calls and cards in words and in symbols: the same names on buttons, in notices and for screen readers.

import { callNode, cardNode, h, phrase, rankText } from '../dom.js';

/** A bid or a card in a sentence of the rules: "1NT", "HA". */
const CODES = /\b([1-7](?:NT|[SHDC])|[SHDC][AKQJT2-9])\b/g;
const SHORT = 40;

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

  /** A sentence of the rules with its codes as the page draws calls and cards: "2♥ is not enough over 2♠". */
  sentence(message) {
    return onTheBoard(message).split(CODES).map((piece, place) => {
      if (!(place % 2)) return piece;
      return /^\d/.test(piece) ? this.callNode(piece) : cardNode(piece);
    });
  }

  /** The same to be read aloud. */
  spoken(message) {
    return onTheBoard(message).replace(CODES, (code) => (/^\d/.test(code) ? this.call(code) : this.card(code)));
  }

  /** An entry of ours, short: "North 1♠", "Claim by South: 10 tricks". */
  entry(command) {
    const { words } = this;
    const seat = this.seat(command.seat);
    if (command.type === 'call') {
      const named = this.fill(words.entry_call, { seat, call: this.callNode(command.call) });
      return command.alert ? [...named, ` (${shortened(command.explanation) || words.alert_button})`] : named;
    }
    if (command.type === 'card') return this.fill(words.entry_card, { seat, card: cardNode(command.card) });
    const pattern = words[`entry_${command.type}`] ?? words.entry_other;
    const tricks = command.tricks === undefined ? '' : this.tricks(command.tricks);
    return [phrase(pattern, { seat, tricks, board: command.board })];
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

/** "Board 1.4" is board 4 to those at the table. */
function onTheBoard(message) {
  return message.replace(/\b\d+\.(\d+)\b/g, '$1');
}

function shortened(text) {
  return text?.length > SHORT ? `${text.slice(0, SHORT)}…` : text;
}
