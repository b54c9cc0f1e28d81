// Entries on their way. Each is kept on the device with its idempotency key until the server has stored it, and
// they are sent one after the other: whatever happens between, none is lost, none doubled, none overtakes another.
//
// `expected` is the number of the room's entries that the operator saw; an entry made behind waiting ones gets it
// from the answer to the one before. A command that others have overtaken (409) or that the rules refuse (422)
// holds the queue until the operator decides; what is sent again goes under the same key.

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 10_000;
const PATIENCE = 15_000;

/** @typedef {{key: string, command: object, expected: number|null, state: 'waiting'|'stored'|'refused'|'stale',
 *             sent: boolean, madeAt: number, sequence?: number, problem?: object}} Entry
 *   `madeAt`: ms of the device's own clock, which the server is told only as seconds gone by */

export class Outbox {
  #busy = false;
  #timer = null;
  #failures = 0;

  /** @param {{name: string, address: string, language: string, onChange: () => void, onStored: () => void}} options
   *    `name` is the key of the device's store, `address` where commands go. */
  constructor(options) {
    this.options = options;
    this.durable = true;
    this.sequence = 0;
    this.offline = !navigator.onLine;
    this.blocked = null;
    this.already = null;
    /** Whether this tab may send; another one of the same device may hold the room. */
    this.leads = false;
    /** @type {Entry[]} */
    this.entries = this.#stored();
    addEventListener('online', () => this.#retryNow());
    addEventListener('offline', () => this.#setOffline(true));
  }

  /** Begins to send: this tab has the room. */
  lead() {
    this.leads = true;
    this.entries = this.#stored();
    this.options.onChange();
    this.#pump();
  }

  get waiting() {
    return this.entries.filter((entry) => entry.state !== 'stored');
  }

  /** The entry that holds the queue until the operator decides. */
  get held() {
    const [first] = this.waiting;
    return first && first.state !== 'waiting' ? first : null;
  }

  /** Keeps and sends a command. False when something has to be decided first. */
  add(command) {
    const held = this.held;
    if (held?.state === 'refused' && this.waiting.length === 1) this.discard(held);
    else if (held || !this.leads || this.blocked) return false;
    const behind = this.waiting.length > 0;
    this.entries.push({
      key: newKey(),
      command,
      expected: behind ? null : this.sequence,
      state: 'waiting',
      sent: false,
      madeAt: Date.now(),
    });
    this.#changed();
    this.#pump();
    return true;
  }

  /** Takes the newest entry back if it has not left the device. Not a taking back: that would be an entry again. */
  takeBack() {
    const last = this.entries.at(-1);
    if (!last || last.state !== 'waiting' || last.sent || last.command.type === 'undo') return false;
    this.entries.pop();
    this.#changed();
    return true;
  }

  /** The view has caught up: what it shows need not be remembered. */
  seen(sequence) {
    this.sequence = Math.max(this.sequence, sequence);
    const kept = this.entries.filter((entry) => entry.state !== 'stored' || entry.sequence > sequence);
    if (kept.length === this.entries.length) return;
    this.entries = kept;
    this.#save();
  }

  /** Sends the held entry again: after what others entered, or with the mark of what the table let stand. */
  retry(entry, changes = {}) {
    if (entry.state === 'stale') entry.expected = Math.max(this.sequence, entry.problem.sequence);
    entry.command = { ...entry.command, ...changes };
    entry.state = 'waiting';
    entry.sent = false;
    delete entry.problem;
    this.#changed();
    this.#pump();
  }

  discard(entry) {
    const place = this.entries.indexOf(entry);
    const [following] = this.entries.slice(place + 1);
    if (following && following.expected === null) {
      following.expected = entry.state === 'stale' ? entry.problem.sequence : entry.expected;
    }
    this.entries.splice(place, 1);
    this.#changed();
    this.#pump();
  }

  discardAll() {
    this.entries = this.entries.filter((entry) => entry.state === 'stored');
    this.#changed();
  }

  /** The link is no longer good: nothing is sent, everything is kept. */
  block(problem) {
    this.blocked = problem;
    this.options.onChange();
  }

  understood() {
    this.already = null;
    this.options.onChange();
  }

  async #pump() {
    if (this.#busy || !this.leads || this.blocked) return;
    const [entry] = this.waiting;
    if (!entry || entry.state !== 'waiting') return;
    this.#busy = true;
    clearTimeout(this.#timer);
    entry.expected ??= this.sequence;
    entry.sent = true;
    this.#save();
    try {
      const answer = await fetch(this.options.address, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': entry.key,
          'Accept-Language': this.options.language,
        },
        body: JSON.stringify({ expected: entry.expected, command: entry.command, waited: secondsSince(entry.madeAt) }),
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (answer.status >= 500 || answer.status === 429) throw new Error(`answered ${answer.status}`);
      const body = await answer.json();
      this.#failures = 0;
      this.#setOffline(false);
      this.#answered(entry, answer.status, body);
    } catch {
      this.#setOffline(true);
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** this.#failures++);
      this.#timer = setTimeout(() => this.#pump(), pause * (0.5 + Math.random() / 2));
      return;
    } finally {
      this.#busy = false;
    }
    this.#pump();
  }

  #answered(entry, status, body) {
    const next = this.entries[this.entries.indexOf(entry) + 1];
    if (status === 201) {
      entry.state = 'stored';
      entry.sequence = body.room_sequence;
      this.sequence = Math.max(this.sequence, body.room_sequence);
      if (next) next.expected ??= body.room_sequence;
      this.options.onStored();
    } else if (status === 409 && body.error === 'stale') {
      this.#overtaken(entry, body);
    } else if (status === 401 || status === 403) {
      this.blocked = body;
    } else {
      entry.state = 'refused';
      entry.problem = body;
      this.options.onStored();
    }
    this.#changed();
  }

  /** Others were quicker. What they entered in our words exactly is done; anything else is for the operator. */
  #overtaken(entry, body) {
    const events = [...body.missed];
    const done = [];
    for (const mine of this.waiting) {
      const count = sameAs(mine.command, events);
      if (!count) break;
      events.splice(0, count);
      done.push(mine);
    }
    if (done.length && !events.length) {
      this.entries = this.entries.filter((each) => !done.includes(each));
      const [following] = this.waiting;
      if (following) following.expected = body.sequence;
      this.already = done.at(-1);
    } else {
      entry.state = 'stale';
      entry.problem = body;
    }
    this.sequence = Math.max(this.sequence, body.sequence);
    this.options.onStored();
  }

  #retryNow() {
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#setOffline(false);
    this.#pump();
  }

  #setOffline(offline) {
    if (this.offline === offline) return;
    this.offline = offline;
    this.options.onChange();
  }

  #changed() {
    this.#save();
    this.options.onChange();
  }

  #stored() {
    try {
      return JSON.parse(localStorage.getItem(this.options.name) ?? '[]');
    } catch {
      this.durable = false;
      return [];
    }
  }

  #save() {
    if (!this.leads) return;
    try {
      if (this.entries.length) localStorage.setItem(this.options.name, JSON.stringify(this.entries));
      else localStorage.removeItem(this.options.name);
      this.durable = true;
    } catch {
      this.durable = false;
    }
  }
}

/** Seconds with one decimal, at most a day, none where the device's clock was set back. */
function secondsSince(moment) {
  return Math.min(86_400, Math.max(0, Math.round((Date.now() - moment) / 100) / 10));
}

/** How many of the events at the front say what the command asked; 0 when they say something else. */
function sameAs(command, [first, second]) {
  const data = first?.data;
  if (!data) return 0;
  switch (command.type) {
    case 'call':
      return Number(first.event === 'call' && data.seat === command.seat && data.call === command.call);
    case 'card':
      return Number(first.event === 'card' && data.seat === command.seat && data.card === command.card);
    case 'open_board':
      return Number(first.event === 'board' && data.segment === command.segment && data.board === command.board);
    case 'claim':
      if (first.event !== 'claim' || data.tricks !== command.tricks) return 0;
      if (!command.accepted) return 1;
      return second?.event === 'claim_answer' && second.data.accepted ? 2 : 0;
    default:
      return 0;
  }
}

function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
