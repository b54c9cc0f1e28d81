// Keeps a page supplied with the public events of its match. The connection itself is shared between tabs
// (carriers.js); this joins it while the page can be seen, catches up with what the page has missed by asking once for
// everything after its cursor, and lets go when the page is hidden: a hidden tab costs nobody anything.

import { makeCarrier } from './carriers.js';
import { SILENCE, askAfter, pause } from './connection.js';

const HIDDEN_GRACE = 5_000;
const GLANCE_EVERY = 30_000;
const PATIENCE = 25_000;

export class MatchStream {
  #carrier;
  #joined = false;
  #ended = false;
  #waiting = null; // events that came while the page was catching up
  #round = 0;
  #heardAt = 0;
  #troubledSince = null;
  #watchdog = null;
  #letGo = null;
  #glancing = null;

  /**
   * @param {{streamUrl: string, pollUrl: string, cursor: () => string, onEvent: (event) => void,
   *          onState: (state: 'live' | 'reconnecting' | 'ended') => void, onStale: () => Promise<void>,
   *          glances: () => boolean}} options
   *   `onStale` is called when the cursor cannot be continued and the whole state is needed.
   *   While `glances()` a hidden page asks now and then what has happened.
   * @param {(options) => object} make the carrier of the connection, see carriers.js
   */
  constructor(options, make = makeCarrier) {
    this.options = options;
    const { streamUrl, pollUrl, cursor } = options;
    this.#carrier = make({ streamUrl, pollUrl, cursor, tell: (message) => this.#receive(message) });
  }

  start() {
    document.addEventListener('visibilitychange', () => this.#visibility());
    addEventListener('pageshow', (event) => event.persisted && this.#rejoin());
    addEventListener('pagehide', () => this.#leave());
    addEventListener('online', () => this.#joined && this.#carrier.renew(true));
    this.#watchdog = setInterval(() => this.#watch(), 5_000);
    if (!document.hidden) this.#join();
  }

  /** Stop for good: the match is over, or the server said so. */
  end() {
    this.#ended = true;
    this.#leave();
    clearInterval(this.#watchdog);
    this.options.onState('ended');
  }

  #join() {
    if (this.#ended || this.#joined) return;
    this.#joined = true;
    this.#heardAt = Date.now();
    this.#waiting = [];
    this.#carrier.join();
  }

  #leave() {
    clearTimeout(this.#letGo);
    if (!this.#joined) return;
    this.#joined = false;
    this.#round += 1;
    this.#carrier.leave();
  }

  /** After a sleep nothing that looks open is believed. */
  #rejoin() {
    this.#leave();
    this.#join();
    this.#carrier.renew(false);
  }

  #visibility() {
    clearTimeout(this.#letGo);
    clearInterval(this.#glancing);
    if (document.hidden) this.#letGo = setTimeout(() => this.#rest(), HIDDEN_GRACE);
    else if (this.#joined) this.#carrier.renew(false);
    else this.#join();
  }

  #rest() {
    this.#leave();
    this.#glancing = setInterval(() => this.options.glances() && !this.#ended && this.#glance(), GLANCE_EVERY);
  }

  async #glance() {
    const round = this.#round;
    const answer = await askAfter(this.options.pollUrl, this.options.cursor()).catch(() => null);
    if (round === this.#round && !this.#joined) for (const event of answer?.events ?? []) this.options.onEvent(event);
  }

  #receive(message) {
    if (!this.#joined) return;
    this.#heardAt = Date.now();
    switch (message.type) {
      case 'joined':
        this.#show(message.state);
        if (message.isFresh) this.#deliver();
        else this.#catchUp();
        break;
      case 'event':
        if (this.#waiting) this.#waiting.push(message.event);
        else this.options.onEvent(message.event);
        break;
      case 'state':
        if (message.state === 'ended') this.end();
        else this.#show(message.state);
        break;
      case 'stale':
        this.#startAnew();
        break;
      default: // a sign of life
        this.#show('live');
    }
  }

  #show(state) {
    this.#troubledSince = state === 'reconnecting' ? (this.#troubledSince ?? Date.now()) : null;
    this.options.onState(state);
  }

  #deliver() {
    const events = this.#waiting ?? [];
    this.#waiting = null;
    for (const event of events) this.options.onEvent(event);
  }

  /** Everything after the page's cursor, then what came meanwhile; what comes twice is known by its id. */
  async #catchUp() {
    this.#waiting ??= [];
    const round = ++this.#round;
    for (;;) {
      try {
        const answer = await askAfter(this.options.pollUrl, this.options.cursor());
        if (round !== this.#round) return;
        if (answer === null) this.end();
        else if (answer.reset) await this.#startAnew();
        else for (const event of answer.events) this.options.onEvent(event);
        this.#deliver();
        this.options.onState(this.#ended ? 'ended' : 'live');
        return;
      } catch {
        if (round !== this.#round) return;
        this.options.onState('reconnecting');
        await new Promise((resolve) => setTimeout(resolve, pause()));
        if (round !== this.#round) return;
      }
    }
  }

  async #startAnew() {
    await this.options.onStale();
    if (this.#joined) this.#carrier.renew(false);
  }

  /** The tab that leads may be frozen, the worker gone or kept from the network: then this page asks for itself. */
  #watch() {
    if (!this.#joined || this.#waiting) return;
    const now = Date.now();
    const isSilent = now - this.#heardAt > SILENCE + 5_000;
    if (isSilent) {
      this.#heardAt = now;
      this.#carrier.renew(true);
    }
    if (isSilent || (this.#troubledSince !== null && now - this.#troubledSince > PATIENCE)) this.#catchUp();
  }
}
