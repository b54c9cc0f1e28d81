// One connection to the public events of a match, kept up whatever the network does. It knows no page: it runs in the
// worker that all tabs share, or in the one tab that holds the connection for the others.
//
// EventSource alone is not enough. When a stream just ends, it comes back by itself, at the moment that the server
// chose for it; but it gives up after an answer that is not 200, and it can look open while nothing comes. So this
// opens a new one with the last cursor: after a refusal, spread over many seconds, as all viewers of a server that
// restarts are refused together; after 40 s without any sign of life (the server pings every 15). After several
// failures in a row it asks by polling with the same cursor, which gets through proxies that hold streams back. An
// answer 204 means: nothing more will come.

export const SILENCE = 40_000;
const PING = 16_000;
const SHORTEST_PAUSE = 1_000;
const SPREAD = 20_000;
const FAILURES_BEFORE_POLLING = 4;
const POLL_EVERY = 5_000;

const EVENTS = [
  ...['snapshot', 'reset', 'match', 'board', 'call', 'explain', 'contract', 'card', 'claim', 'claim_answer', 'undo'],
  ...['result', 'worth', 'comparison', 'correction', 'penalty', 'closed', 'comment'],
  ...['rung', 'challenge', 'notice'], // of a ladder
];

/**
 * Milliseconds to wait after a failure: anywhere in a span so wide that no second sees a tenth of all viewers, those
 * who failed already included, and so short that all are back 30 s after a server that was away for 8.
 */
export function pause() {
  return SHORTEST_PAUSE + Math.random() * SPREAD;
}

/** The answer of a poll: events after the cursor, a reset, or null when nothing more will come. */
export async function askAfter(pollUrl, cursor) {
  const url = new URL(pollUrl, location.href);
  url.searchParams.set('after', cursor);
  const answer = await fetch(url, { signal: AbortSignal.timeout(15_000) });
  if (answer.status === 204) return null;
  if (!answer.ok) throw new Error(`polling answered ${answer.status}`);
  const { events = [], reset = null } = await answer.json();
  return { events: events.map(({ id, event, data }) => ({ id, name: event, data })), reset };
}

export class Connection {
  #source = null;
  #timer = null;
  #watchdog = null;
  #failures = 0;
  #silences = 0;
  #heardAt = 0;
  #ended = false;
  #cursor = null;
  #isStale = false;

  /**
   * @param {{streamUrl: string, pollUrl: string, mayStream?: () => boolean, tell: (message) => void}} options
   *   `mayStream()` is asked before each connecting; while it says no the events are polled.
   *   Messages: `{type: 'event', event}`, `{type: 'heard'}`, `{type: 'stale'}` when the cursor cannot be continued and the
   *   whole state is needed, and `{type: 'state', state: 'live' | 'polling' | 'reconnecting' | 'ended'}`.
   */
  constructor(options) {
    this.options = options;
    this.state = 'live';
  }

  get isOpen() {
    return this.#source !== null || this.#timer !== null;
  }

  get isStreaming() {
    return this.#source !== null;
  }

  /** Whether a page standing at this cursor misses nothing of what this connection brings. */
  continues(cursor) {
    return this.#cursor === cursor && !this.#isStale;
  }

  open(cursor) {
    this.#cursor = cursor;
    this.#isStale = false;
    this.#failures = this.#silences = 0;
    this.#watchdog ??= setInterval(() => this.#watch(), 5_000);
    this.#connect();
  }

  /** A page asks for a sure connection: at once when forced, else when this one has been silent for too long. */
  renew(force, cursor = null) {
    if (this.#ended) return;
    if (cursor !== null && this.#isStale) this.#cursor = cursor;
    if (!force && this.isOpen && !this.#isStale && Date.now() - this.#heardAt < PING) return;
    this.open(this.#cursor);
  }

  close() {
    clearInterval(this.#watchdog);
    this.#watchdog = null;
    this.#drop();
  }

  #connect() {
    this.#drop();
    if (this.#ended) return;
    if (!(this.options.mayStream?.() ?? true) || this.#failures >= FAILURES_BEFORE_POLLING) {
      this.#timer = setTimeout(() => this.#poll(), 0);
      return;
    }
    const url = new URL(this.options.streamUrl, location.href);
    url.searchParams.set('after', this.#cursor);
    const source = new EventSource(url);
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
        if (name !== 'reset') this.#bring({ id: ownId(message, name), name, data: JSON.parse(message.data) });
      });
    }
  }

  #drop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#source?.close();
    this.#source = null;
  }

  #bring(event) {
    if (event.id) this.#cursor = event.id;
    this.options.tell({ type: 'event', event });
  }

  #show(state) {
    this.state = state;
    this.options.tell({ type: 'state', state });
  }

  #heard() {
    this.#heardAt = Date.now();
    this.#failures = this.#silences = 0;
    if (this.state === 'live') this.options.tell({ type: 'heard' });
    else this.#show('live');
  }

  #failed(source) {
    if (source !== this.#source) return;
    if (source.readyState === EventSource.CONNECTING && this.#failures === 0) {
      this.#show('reconnecting'); // it comes back by itself, with its Last-Event-ID
      return;
    }
    this.#retry();
  }

  #retry() {
    this.#drop();
    this.#show('reconnecting');
    this.#failures += 1;
    this.#timer = setTimeout(() => this.#connect(), pause());
  }

  #watch() {
    if (this.#source && Date.now() - this.#heardAt > SILENCE) {
      this.#silences += 1;
      this.#retry();
    }
  }

  async #poll() {
    try {
      const answer = await askAfter(this.options.pollUrl, this.#cursor);
      if (this.#timer === null) return; // closed meanwhile
      if (answer === null) {
        this.#end();
        return;
      }
      this.#heardAt = Date.now();
      this.#show('polling');
      this.#isStale = answer.reset !== null;
      if (this.#isStale) this.options.tell({ type: 'stale' });
      for (const event of answer.events) this.#bring(event);
      // The server answers again: the stream gets another chance. One that was open and silent, which takes 40 s to
      // tell, gets it only now and then.
      if (this.#silences === 0 || Math.random() < 0.1) this.#failures = 0;
      this.#timer = setTimeout(() => this.#connect(), POLL_EVERY * (0.8 + 0.4 * Math.random()));
    } catch {
      if (this.#timer === null) return;
      this.#failures = 0; // nothing answers, so it was not the stream's fault
      this.#retry();
    }
  }

  #end() {
    this.#ended = true;
    this.close();
    this.#show('ended');
  }
}

/** The id an event brought. `lastEventId` repeats the last one for events without, which `worth` is. */
function ownId(message, name) {
  return name === 'worth' || name === 'analysis' ? null : message.lastEventId;
}
