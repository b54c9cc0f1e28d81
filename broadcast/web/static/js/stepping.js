// Looking back in one room, by call, card and trick. Watching live and looking back are two modes: while looking back
// nothing pulls the reader forward; the room says that live has moved on, and one press returns there.

/** Where a step leads from a position on a record, or null for the end of the record (live). Pure. */
export function stepped(position, step, recorded) {
  const at = position ?? recorded;
  const here = {
    calls: Math.min(at.calls, recorded.calls),
    cards: at.calls < recorded.calls ? 0 : Math.min(at.cards, recorded.cards),
  };
  switch (step) {
    case 'first':
      return { calls: 0, cards: 0 };
    case 'back':
      if (here.cards > 0) return { calls: here.calls, cards: here.cards - 1 };
      return { calls: Math.max(0, here.calls - 1), cards: 0 };
    case 'forward':
      if (here.calls < recorded.calls) return { calls: here.calls + 1, cards: 0 };
      return { calls: here.calls, cards: Math.min(recorded.cards, here.cards + 1) };
    // By trick; the auction counts as one.
    case 'trick-back':
      if (here.cards > 0) return { calls: here.calls, cards: 4 * Math.ceil(here.cards / 4 - 1) };
      return { calls: 0, cards: 0 };
    case 'trick-forward':
      if (here.calls < recorded.calls) return { calls: recorded.calls, cards: 0 };
      return { calls: here.calls, cards: Math.min(recorded.cards, 4 * Math.floor(here.cards / 4 + 1)) };
    case 'last':
      return { ...recorded };
    default:
      return null;
  }
}

const KEYS = {
  ArrowLeft: 'back',
  ArrowRight: 'forward',
  'Shift+ArrowLeft': 'trick-back',
  'Shift+ArrowRight': 'trick-forward',
  ' ': 'play',
  Home: 'first',
  End: 'last',
  l: 'live',
  n: 'next',
  p: 'previous',
};

/** Steps that go far: each is an entry in the browser's history. */
export const JUMPS = new Set(['first', 'last', 'live']);

/** Calls `onStep(step)` for the stepping keys, unless they belong to a control or a shortcut. */
export function listenForKeys(onStep) {
  document.addEventListener('keydown', (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const step = KEYS[event.shiftKey && key.startsWith('Arrow') ? `Shift+${key}` : key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest('input, select, textarea, [contenteditable]')) return;
    if (event.key === ' ' && target.closest('button, a, summary')) return;
    if (onStep(step) !== false) event.preventDefault();
  });
}

/** What a room shows: live, or a position on a record that is kept although live has gone to another board. */
export class RoomPosition {
  /** null while watching live, else `{calls, cards}`. */
  position = null;
  #held = null;
  #seen = null;

  get isLive() {
    return this.position === null;
  }

  /** The board to draw, given the one on the table now. */
  board(current) {
    return this.isLive ? current : this.#held;
  }

  /** The table has changed: keep our record up to date while it is about the same board. */
  follow(current) {
    if (!this.isLive && current && isSame(current, this.#held)) this.#held = current;
  }

  /** Make a step; from live it starts at what is shown there, which under the board lock is not the latest. */
  step(step, current, room, shown = { board: current, position: null }) {
    const board = this.isLive ? shown.board : this.#held;
    if (!board) return;
    const recorded = recordedIn(board, room);
    const next = stepped(this.isLive ? shown.position : this.position, step, recorded);
    const atEnd = next && next.calls === recorded.calls && next.cards === recorded.cards;
    if (!next || (atEnd && isSame(board, current))) this.goLive();
    else this.goTo(board, next, current, room);
  }

  goLive() {
    this.position = null;
    this.#held = null;
  }

  /** Stand at a position of a board, whatever is live. */
  goTo(board, position, current, room) {
    if (this.isLive && current) this.#seen = recordedIn(current, room);
    this.position = position;
    this.#held = board;
  }

  /** Whether more has happened live since the reader began to look back. */
  hasMovedOn(current, room) {
    if (this.isLive || !current) return false;
    const now = recordedIn(current, room);
    return !isSame(current, this.#held) || now.calls !== this.#seen.calls || now.cards !== this.#seen.cards;
  }
}

export function isSame(one, other) {
  return Boolean(one && other && one.segment === other.segment && one.number === other.number);
}

export function recordedIn(board, room) {
  return { calls: board[room]?.auction?.length ?? 0, cards: board[room]?.play?.length ?? 0 };
}
