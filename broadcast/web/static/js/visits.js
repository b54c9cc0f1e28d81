// The positions a reader has been at, in the address and the history of the browser. Stepping changes the address
// in place; a jump (into the past, back to live, to a place on the slider) makes an entry, so that back and forward
// lead from jump to jump.

const QUIET = 250; // browsers refuse more than about three changes a second when a key is held down

/** `2.22-open-7-13`: segment and board, room, calls and cards that stand. */
export function formatAt(key, room, { calls, cards }) {
  return `${key}-${room}-${calls}-${cards}`;
}

export class Visits {
  #timer = null;

  /**
   * @param {() => {state: object, url: URL}} here what history keeps of the present position
   * @param {(state: object | null) => void} onReturn the reader has gone back or forward
   */
  constructor(here, onReturn) {
    this.here = here;
    addEventListener('popstate', (event) => {
      clearTimeout(this.#timer);
      this.#timer = null;
      onReturn(event.state);
    });
    addEventListener('pagehide', () => this.#settle());
  }

  /** A step: the address follows. */
  stay() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#settle(), QUIET);
  }

  /** A jump is about to be made: keep where we are, and let what follows be an entry of its own. */
  jump(move) {
    this.#write('replaceState');
    clearTimeout(this.#timer);
    this.#timer = null;
    move();
    this.#write('pushState');
  }

  #settle() {
    if (this.#timer === null) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#write('replaceState');
  }

  #write(how) {
    const { state, url } = this.here();
    history[how](state, '', url);
  }
}
