// Keeps the page supplied with the room as the server sees it: a fresh table after every event of the room's stream.
//
// The stream only says that something happened, on whichever device; what it means is asked of the server, so that
// the page needs no rules. A stream that breaks or falls silent is opened again, with growing pauses.

const SILENCE = 40_000;
const LONGEST_PAUSE = 10_000;
const EVENTS = [
  ...['board', 'skip', 'call', 'explain', 'card', 'claim', 'claim_answer', 'undo', 'result', 'correction', 'checked'],
  ...['award', 'cancelled', 'swapped', 'penalty', 'closed', 'reopened', 'void', 'lineup', 'snapshot', 'reset'],
];

export class Supply {
  #source = null;
  #timer = null;
  #failures = 0;
  #heardAt = 0;
  #asking = false;
  #again = false;

  /** @param {{table: string, events: string, after: () => number, onTable: (view) => void,
   *           onRefused: (problem) => void}} options `onRefused`: the session is over */
  constructor(options) {
    this.options = options;
  }

  start() {
    this.#open();
    setInterval(() => this.#source && Date.now() - this.#heardAt > SILENCE && this.#failed(this.#source), 5_000);
    addEventListener('online', () => this.#renew());
    addEventListener('pagehide', () => this.#close());
    addEventListener('pageshow', (event) => event.persisted && this.#renew());
    document.addEventListener('visibilitychange', () => document.hidden || this.#renew());
  }

  /** Asks for the table; calls while one is on its way become one more. */
  async refresh() {
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    do {
      this.#again = false;
      const view = await this.#get(this.options.table);
      if (view) this.options.onTable(view);
    } while (this.#again);
    this.#asking = false;
  }

  /** What a result would score for North-South; null when the server cannot be asked. */
  async score(address) {
    return (await this.#get(address))?.score_ns ?? null;
  }

  async #get(address) {
    try {
      const answer = await fetch(address, { signal: AbortSignal.timeout(15_000) });
      if (answer.status === 401 || answer.status === 403) this.options.onRefused(await answer.json());
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  #open() {
    this.#close();
    const source = new EventSource(`${this.options.events}?after=${this.options.after()}`);
    this.#source = source;
    this.#heardAt = Date.now();
    const heard = () => {
      this.#heardAt = Date.now();
      this.#failures = 0;
    };
    source.onopen = heard;
    source.onerror = () => this.#failed(source);
    source.addEventListener('ping', heard);
    for (const name of EVENTS) {
      source.addEventListener(name, () => {
        heard();
        if (source === this.#source) this.refresh();
      });
    }
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #failed(source) {
    if (source !== this.#source) return;
    this.#close();
    const pause = Math.min(LONGEST_PAUSE, 1_000 * 2 ** this.#failures++);
    this.#timer = setTimeout(() => this.#renew(), pause * (0.5 + Math.random() / 2));
  }

  #renew() {
    this.#open();
    this.refresh();
  }
}
