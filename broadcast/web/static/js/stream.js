// Keeps a page supplied with the public events of a match, whatever the network does.
//
// EventSource alone is not enough. When a stream just ends, it comes back by itself, at the moment that the server
// chose for it; but it gives up after an answer that is not 200, and it can look open while nothing comes. So this
// opens a new one with the last cursor: after a refusal, spread over many seconds, as all viewers of a server that
// restarts are refused together; after 40 s without any sign of life (the server pings every 15); at once when the
// page becomes visible again or returns from the page cache. After several failures in a row it asks by polling with
// the same cursor, which gets through proxies that hold streams back. A hidden page lets its connection go, as
// browsers allow only six to a host. An answer 204 means: nothing more will come.

const SILENCE = 40_000;
const SHORTEST_PAUSE = 1_000;
const FIRST_SPREAD = 11_000;
const LONGEST_SPREAD = 19_000;
const FAILURES_BEFORE_POLLING = 4;
const POLL_EVERY = 5_000;
const HIDDEN_GRACE = 5_000;

const EVENTS = [
  ...['snapshot', 'reset', 'match', 'board', 'call', 'explain', 'contract', 'card', 'claim', 'claim_answer', 'undo'],
  ...['result', 'worth', 'comparison', 'correction', 'penalty', 'closed', 'comment'],
];

/** Milliseconds to wait after so many failures: anywhere in a span so wide that no second sees a tenth of all. */
export function pauseBefore(failures, chance = Math.random()) {
  return SHORTEST_PAUSE + chance * Math.min(LONGEST_SPREAD, FIRST_SPREAD + 2_000 * failures);
}

export class MatchStream {
  #source = null;
  #timer = null;
  #watchdog = null;
  #failures = 0;
  #heardAt = 0;
  #ended = false;

  /**
   * @param {{streamUrl: string, pollUrl: string, cursor: () => string, onEvent: (event) => void,
   *          onState: (state: 'live' | 'reconnecting' | 'ended') => void, onStale: () => void}} options
   *   `onStale` is called when a poll cannot be continued and the whole state is needed.
   */
  constructor(options) {
    this.options = options;
  }

  start() {
    document.addEventListener('visibilitychange', () => this.#visibility());
    addEventListener('pageshow', (event) => event.persisted && this.#renew());
    addEventListener('pagehide', () => this.#close());
    addEventListener('online', () => this.#renew());
    this.#watchdog = setInterval(() => this.#watch(), 5_000);
    if (!document.hidden) this.#open();
  }

  #address(base) {
    const url = new URL(base, location.href);
    url.searchParams.set('after', this.options.cursor());
    return url;
  }

  #open() {
    this.#close();
    if (this.#ended) return;
    if (this.#failures >= FAILURES_BEFORE_POLLING) {
      this.#poll();
      return;
    }
    const source = new EventSource(this.#address(this.options.streamUrl));
    this.#source = source;
    this.#heardAt = Date.now();
    source.onopen = () => this.#heard();
    source.onerror = () => this.#failed(source);
    source.addEventListener('ping', () => this.#heard());
    source.onmessage = () => this.#heard();
    for (const name of EVENTS) {
      source.addEventListener(name, (message) => {
        if (source !== this.#source) return;
        this.#heard();
        if (name !== 'reset') {
          this.options.onEvent({ id: ownId(message, name), name, data: JSON.parse(message.data) });
        }
      });
    }
  }

  #close() {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #heard() {
    this.#heardAt = Date.now();
    this.#failures = 0;
    this.options.onState('live');
  }

  #failed(source) {
    if (source !== this.#source) return;
    if (source.readyState === EventSource.CONNECTING && this.#failures === 0) {
      this.options.onState('reconnecting'); // it comes back by itself, with its Last-Event-ID
      return;
    }
    this.#close();
    this.#retry();
  }

  #retry() {
    this.options.onState('reconnecting');
    this.#timer = setTimeout(() => this.#open(), pauseBefore(this.#failures++));
  }

  #watch() {
    if (!this.#source || Date.now() - this.#heardAt <= SILENCE) return;
    this.#close();
    this.#retry();
  }

  #renew() {
    if (this.#ended) return;
    this.#failures = 0;
    this.#open();
  }

  #visibility() {
    clearTimeout(this.letGo);
    if (document.hidden) this.letGo = setTimeout(() => this.#close(), HIDDEN_GRACE);
    else this.#renew();
  }

  async #poll() {
    try {
      const answer = await fetch(this.#address(this.options.pollUrl), { signal: AbortSignal.timeout(15_000) });
      if (answer.status === 204) {
        this.end();
        return;
      }
      if (!answer.ok) throw new Error(`polling answered ${answer.status}`);
      const { events, reset } = await answer.json();
      this.options.onState('live');
      if (reset) this.options.onStale();
      for (const { id, event, data } of events ?? []) this.options.onEvent({ id, name: event, data });
      // Now and then the stream gets another chance.
      if (Math.random() < 0.1) this.#failures = 0;
      this.#timer = setTimeout(() => this.#open(), POLL_EVERY * (0.8 + 0.4 * Math.random()));
    } catch {
      this.#retry();
    }
  }

  /** Stop for good: the match is over, or the server said so. */
  end() {
    this.#ended = true;
    this.#close();
    clearInterval(this.#watchdog);
    this.options.onState('ended');
  }
}

/** The id an event brought. `lastEventId` repeats the last one for events without, which `worth` is. */
function ownId(message, name) {
  return name === 'worth' || name === 'analysis' ? null : message.lastEventId;
}
