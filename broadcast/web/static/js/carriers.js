// How a tab gets the events of a match without a connection of its own: from the worker that all tabs share; or,
// where there is none, from the one tab that leads. Both tell the same messages (connection.js), and `joined` first.

import { Connection } from './connection.js';

const HERE_EVERY = 10_000;
const ANSWER_WITHIN = 4_000;

/** A carrier for a tab: `{join(), leave(), renew(force)}`. `cursor()` says where the page stands. `Instead` is the
 *  kind of carrier where there is no worker. */
export function makeCarrier(options, Instead = LeaderCarrier) {
  if (!('SharedWorker' in globalThis)) return new Instead(options);
  try {
    return new WorkerCarrier(options, Instead);
  } catch {
    return new Instead(options); // workers are closed to us, as in a frame of another site
  }
}

/** Speaks with whoever shares streams (shared_streams.js) at the other end of a port. */
export class PortCarrier {
  #here = null;

  constructor(port, options, onAnswer = () => {}) {
    this.options = options;
    this.port = port;
    port.onmessage = ({ data }) => {
      onAnswer();
      if (data.type === 'lost') this.join();
      else options.tell(data);
    };
  }

  join() {
    const { streamUrl, pollUrl, cursor } = this.options;
    const absolute = (url) => new URL(url, location.href).href;
    this.port.postMessage({ type: 'join', streamUrl: absolute(streamUrl), pollUrl: absolute(pollUrl), cursor: cursor() });
    clearInterval(this.#here);
    this.#here = setInterval(() => this.port.postMessage({ type: 'here' }), HERE_EVERY);
  }

  leave() {
    clearInterval(this.#here);
    this.port.postMessage({ type: 'leave' });
  }

  renew(force) {
    this.port.postMessage({ type: 'renew', force, cursor: this.options.cursor() });
  }
}

class WorkerCarrier {
  #instead = null;
  #patience = null;

  constructor(options, Instead) {
    this.options = options;
    this.Instead = Instead;
    const worker = new SharedWorker(new URL('./stream_worker.js', import.meta.url), { type: 'module', name: 'twinroom' });
    worker.onerror = () => this.#giveUp();
    this.carrier = new PortCarrier(worker.port, options, () => clearTimeout(this.#patience));
  }

  join() {
    if (this.#instead) return this.#instead.join();
    this.carrier.join();
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.#giveUp(), ANSWER_WITHIN);
  }

  leave() {
    if (this.#instead) return this.#instead.leave();
    clearTimeout(this.#patience);
    this.carrier.leave();
  }

  renew(force) {
    (this.#instead ?? this.carrier).renew(force);
  }

  /** A worker that cannot start says nothing, or not in time. */
  #giveUp() {
    if (this.#instead) return;
    this.leave();
    this.carrier.port.onmessage = null;
    this.#instead = new this.Instead(this.options);
    this.#instead.join();
  }
}

/** Asks now and then, and holds no connection: a frame that nobody helps, beside who knows how many others. */
export class PollCarrier {
  #connection = null;

  constructor(options) {
    this.options = options;
  }

  join() {
    this.leave();
    const { streamUrl, pollUrl, cursor, tell } = this.options;
    this.#connection = new Connection({ streamUrl, pollUrl, mayStream: () => false, tell });
    this.#connection.open(cursor());
    tell({ type: 'joined', isFresh: true, state: this.#connection.state });
  }

  leave() {
    this.#connection?.close();
    this.#connection = null;
  }

  renew(force) {
    this.#connection?.renew(force, this.options.cursor());
  }
}

/** One tab leads: the one that holds the lock. It tells the others over a channel; when it leaves, the next leads. */
class LeaderCarrier {
  #name = null;
  #channel = null;
  #waiting = null;
  #connection = null;
  #release = null;

  constructor(options) {
    this.options = options;
  }

  join() {
    this.leave();
    const { streamUrl, tell } = this.options;
    if (!('locks' in navigator) || !('BroadcastChannel' in globalThis)) {
      this.#lead();
      return;
    }
    this.#channel = new BroadcastChannel(`twinroom ${streamUrl}`);
    this.#channel.onmessage = ({ data }) => {
      if (!this.#connection && data.type === 'joined' && data.to === this.#name) tell(data);
      else if (!this.#connection && !['joined', 'hello', 'renew'].includes(data.type)) tell(data);
      else if (this.#connection && data.type === 'hello') this.#welcome(data.from);
      else if (this.#connection && data.type === 'renew') this.#connection.renew(data.force, data.cursor);
    };
    this.#waiting = new AbortController();
    this.#name = crypto.randomUUID();
    this.#channel.postMessage({ type: 'hello', from: this.#name });
    const led = () => new Promise((release) => this.#lead(release));
    navigator.locks.request(`twinroom ${streamUrl}`, { signal: this.#waiting.signal }, led).catch(() => {}); // left before
  }

  leave() {
    this.#connection?.close();
    this.#connection = null;
    this.#waiting?.abort();
    this.#waiting = null;
    this.#release?.();
    this.#release = null;
    this.#channel?.close();
    this.#channel = null;
  }

  renew(force) {
    const cursor = this.options.cursor();
    if (this.#connection) this.#connection.renew(force, cursor);
    else this.#channel?.postMessage({ type: 'renew', force, cursor });
  }

  #welcome(to) {
    this.#channel.postMessage({ type: 'joined', to, isFresh: false, state: this.#connection.state });
  }

  #lead(release = null) {
    this.#release = release;
    const { streamUrl, pollUrl, cursor, tell } = this.options;
    const told = (message) => {
      tell(message);
      this.#channel?.postMessage(message);
    };
    this.#connection = new Connection({ streamUrl, pollUrl, tell: told });
    this.#connection.open(cursor());
    tell({ type: 'joined', isFresh: true, state: this.#connection.state });
  }
}
