// Matches whose boards are released whole can still be watched as they were played: the events say when each call was
// made and each card played, and a board then unfolds at that pace.

import { askAfter } from './connection.js';
import { cursor } from './fold.js';

const SHORTEST = 150;
const LONGEST = 60_000; // a long thought, or a break, is cut to a minute
const KEPT = 1_500; // so many events back the server still tells

/** When each call and card of a room's board was made, from the events as they come. */
export class Moments {
  #boards = new Map();

  note({ name, data }) {
    const key = `${data.segment}.${data.board}-${data.room}`;
    if (name === 'board') this.#boards.set(key, { calls: [], cards: [], start: Date.parse(data.at) });
    const board = this.#boards.get(key);
    if (!board) return;
    if (name === 'call') board.calls.push(Date.parse(data.at));
    else if (name === 'card') board.cards.push(Date.parse(data.at));
    else if (name === 'undo') {
      board.calls.length = Math.min(board.calls.length, data.to.calls);
      board.cards.length = Math.min(board.cards.length, data.to.cards);
    }
  }

  /** Whether the moments of a whole record are known. */
  knows(key, room, recorded) {
    const board = this.#boards.get(`${key}-${room}`);
    return board?.calls.length === recorded.calls && board.cards.length === recorded.cards;
  }

  /** Milliseconds from a position to the next call or card, as it was at the table. */
  wait(key, room, position, recorded) {
    const { calls, cards, start } = this.#boards.get(`${key}-${room}`);
    const all = [start, ...calls, ...cards];
    const place = position.calls < recorded.calls ? position.calls : recorded.calls + position.cards;
    return Math.max(SHORTEST, Math.min(LONGEST, all[place + 1] - all[place] || 0));
  }

  /** Asks for what the page has not seen come: the events before its snapshot, as far back as they are kept. */
  async fetch(pollUrl, lastEvent) {
    const last = cursor(lastEvent);
    if (!last) return;
    const answer = await askAfter(pollUrl, `${last.epoch}-${Math.max(0, last.number - KEPT)}`).catch(() => null);
    this.#boards.clear();
    for (const event of answer?.events ?? []) this.note(event);
  }
}
