// Calls and cards from the keyboard: 1s 2n p x xx; sq, qs, h10, 10h, ht. A key that cannot go on starts anew.

const CALL = /^([1-7])([cdhsn])$/;
const CARD = /^(?:([shdc])(10|[akqjt2-9])|(10|[akqjt2-9])([shdc]))$/;
const BEGINS = { call: /^[1-7x]$/, card: /^(?:[shdc]1?|[akqjt2-9]|10?)$/ };
const DOUBLE_PAUSE = 450;

export class Typed {
  #text = '';
  #timer = null;

  /** @param {{onCall: (call) => void, onCard: (card) => void, onText: (text) => void,
   *           onUnknown: (text) => void}} options `onUnknown`: keys that are no beginning of anything */
  constructor(options) {
    this.options = options;
  }

  get text() {
    return this.#text;
  }

  clear() {
    clearTimeout(this.#timer);
    this.#show('');
  }

  /** Takes a key where calls or cards (or, while nobody knows, either) are awaited. True when it was used. */
  take(key, { calls, cards }) {
    if (!/^[a-z0-9]$/.test(key)) return false;
    const joined = this.#text + key;
    for (const text of joined === key ? [key] : [joined, key]) {
      if (this.#complete(text, calls, cards)) return true;
      if ((calls && BEGINS.call.test(text)) || (cards && BEGINS.card.test(text))) {
        this.#show(text);
        return true;
      }
    }
    if (!calls && !cards) return false;
    this.clear();
    // What follows a finished "1n" as a habit ("1nt") says nothing more.
    if (!calls || key !== 't') this.options.onUnknown(joined);
    return true;
  }

  #complete(text, calls, cards) {
    const card = cards && CARD.exec(text);
    if (card) {
      const suit = (card[1] ?? card[4]).toUpperCase();
      const rank = (card[2] ?? card[3]).toUpperCase().replace('10', 'T');
      return this.#done(() => this.options.onCard(suit + rank));
    }
    if (!calls) return false;
    const bid = CALL.exec(text);
    if (bid) return this.#done(() => this.options.onCall(bid[1] + (bid[2] === 'n' ? 'NT' : bid[2].toUpperCase())));
    if (text === 'p') return this.#done(() => this.options.onCall('Pass'));
    if (text === 'xx') return this.#done(() => this.options.onCall('XX'));
    if (text === 'x') {
      this.#show('x');
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#done(() => this.options.onCall('X')), DOUBLE_PAUSE);
      return true;
    }
    return false;
  }

  #done(act) {
    this.clear();
    act();
    return true;
  }

  #show(text) {
    this.#text = text;
    this.options.onText(text);
  }
}
