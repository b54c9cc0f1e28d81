// Plays a record on by itself, a call or a card at a time, until it ends or the reader does something else.

const CALL = 1_100;
const CARD = 900;
const PAUSE = 1_900; // after the auction, and after a trick, which one wants to look at

/** Milliseconds to look at a position before the next: by reading speed. Pure. */
export function readingTime({ calls, cards }, recorded) {
  if (calls < recorded.calls) return CALL;
  return cards % 4 === 0 ? PAUSE : CARD;
}

export class Autoplay {
  #timer = null;

  /** @param {() => boolean} onStep makes one step and says whether there is another */
  constructor(onStep, onChange = () => {}) {
    this.onStep = onStep;
    this.onChange = onChange;
  }

  get isPlaying() {
    return this.#timer !== null;
  }

  /** @param {() => number} wait milliseconds to stay at the present position */
  start(wait) {
    clearTimeout(this.#timer);
    const step = () => {
      if (!this.onStep()) this.stop();
      else this.#timer = setTimeout(step, wait());
    };
    this.#timer = setTimeout(step, wait());
    this.onChange();
  }

  stop() {
    if (!this.isPlaying) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.onChange();
  }
}
