// The board lock: both rooms on the same board, the room that is ahead replayed to the same trick as the one behind.

import { boardKey, currentBoard } from './view.js';

/**
 * What the room that is ahead shows under the lock: `{room, key, position}`, or null when the rooms are level or one
 * has not begun. A position of null is the end of the record. Pure.
 */
export function lockTarget(state) {
  const [open, closed] = [currentBoard(state, 'open'), currentBoard(state, 'closed')];
  if (!open || !closed) return null;
  const places = [state.boards.indexOf(open), state.boards.indexOf(closed)];
  const order = places[0] - places[1] || progress(open.open) - progress(closed.closed);
  if (order === 0) return null;
  const [room, behind, there] = order > 0 ? ['open', closed, closed.closed] : ['closed', open, open.open];
  return { room, key: boardKey(behind), position: positionOf(there) };
}

/** How far a room is on its board: cards count after all calls, and an ended board is furthest. */
function progress(room) {
  if (isOver(room)) return 1000;
  return room.leader ? 100 + room.play.length : room.auction.length;
}

function isOver(room) {
  return room.state !== undefined && room.state !== 'in_play';
}

function positionOf(room) {
  if (isOver(room)) return null;
  return room.leader ? { calls: Infinity, cards: room.play.length } : { calls: room.auction.length, cards: 0 };
}

/** Records of boards that have left a room's table, fetched once each. */
export class Records {
  #kept = new Map();

  constructor(address, onLoaded) {
    this.address = address;
    this.onLoaded = onLoaded;
  }

  /** The board resource, or null until it is here. */
  get(key) {
    if (!this.#kept.has(key)) {
      this.#kept.set(key, null);
      this.#load(key);
    }
    return this.#kept.get(key);
  }

  async #load(key) {
    const answer = await fetch(this.address(key)).catch(() => null);
    if (answer?.ok) {
      this.#kept.set(key, await answer.json());
      this.onLoaded();
    } else {
      // Asked again a little later, when the room is drawn next.
      setTimeout(() => this.#kept.delete(key), 5_000);
    }
  }
}
