// The two modes of the live page, room by room: watching live, or standing somewhere on a record. Steps, slider,
// playing on by itself, and the browser's back and forward all come here; `onChange` then draws the page.

import { Autoplay, readingTime } from './autoplay.js';
import { ROOMS } from './fold.js';
import { placeOf, positionAt } from './step_bar.js';
import { JUMPS, RoomPosition, isSame, recordedIn } from './stepping.js';
import { boardKey, currentBoard } from './view.js';
import { Visits, formatAt } from './visits.js';

export class Looking {
  #rooms = new Map(ROOMS.map((room) => [room, new RoomPosition()]));
  #boards = new Map(); // records this page has stood on, for the way back
  #playing = new Map();
  #last = 'open';

  /**
   * @param {() => object} state the match's
   * @param {(room: string) => {board: object, position: object | null}} shownLive what a room shows while live
   */
  constructor(state, shownLive, onChange) {
    this.state = state;
    this.shownLive = shownLive;
    this.onChange = onChange;
    for (const room of ROOMS) {
      this.#playing.set(room, new Autoplay(() => this.#playOn(room), onChange));
    }
    this.visits = new Visits(
      () => this.#here(),
      (kept) => this.#return(kept),
    );
  }

  in(room) {
    return this.#rooms.get(room);
  }

  isPlaying(room) {
    return this.#playing.get(room).isPlaying;
  }

  /** Whether a room's record can be played: from where the reader stands, or a finished board from its start. */
  canPlay(room) {
    const at = this.in(room);
    if (!at.isLive) return true;
    const member = this.shownLive(room).board?.[room];
    return Boolean(member?.auction?.length && (member.state ?? 'in_play') !== 'in_play');
  }

  /** The table has changed. */
  follow() {
    for (const [room, at] of this.#rooms) at.follow(currentBoard(this.state(), room));
  }

  step(room, name) {
    this.#last = room;
    if (name === 'play') {
      this.#togglePlay(room);
      return;
    }
    this.#playing.get(room).stop();
    const at = this.in(room);
    const move = () => this.#step(room, name);
    if (at.isLive || JUMPS.has(name)) this.visits.jump(move);
    else {
      move();
      this.visits.stay();
    }
    this.onChange();
  }

  slide(room, place, isFirst) {
    this.#last = room;
    this.#playing.get(room).stop();
    const move = () => {
      const current = currentBoard(this.state(), room);
      const at = this.in(room);
      const board = at.isLive ? this.shownLive(room).board : at.board(current);
      if (!board) return;
      const recorded = recordedIn(board, room);
      if (isSame(board, current) && place === placeOf(recorded)) at.goLive();
      else this.#goTo(room, board, positionAt(place, recorded));
    };
    if (isFirst) this.visits.jump(move);
    else {
      move();
      this.visits.stay();
    }
    this.onChange();
  }

  /** Plays a room's record at a pace of its own: `wait(position, recorded)` in milliseconds. */
  play(room, wait = readingTime) {
    const at = this.in(room);
    if (at.isLive) this.visits.jump(() => this.#step(room, 'first'));
    this.#playing.get(room).start(() => wait(at.position ?? { calls: 0, cards: 0 }, this.#recorded(room)));
    this.onChange();
  }

  stop(room) {
    this.#playing.get(room).stop();
  }

  #togglePlay(room) {
    const playing = this.#playing.get(room);
    if (playing.isPlaying) playing.stop();
    else if (this.canPlay(room)) this.play(room);
  }

  #playOn(room) {
    const at = this.in(room);
    if (!at.isLive) this.#step(room, 'forward');
    this.visits.stay();
    this.onChange();
    if (at.isLive) return false;
    const recorded = this.#recorded(room);
    return placeOf(at.position) < placeOf(recorded);
  }

  #recorded(room) {
    const board = this.in(room).board(currentBoard(this.state(), room));
    return board ? recordedIn(board, room) : { calls: 0, cards: 0 };
  }

  #step(room, name) {
    const current = currentBoard(this.state(), room);
    const at = this.in(room);
    at.step(name, current, room, this.shownLive(room));
    this.#keep(at.isLive ? null : at.board(current));
  }

  #goTo(room, board, { calls, cards }) {
    this.in(room).goTo(board, { calls, cards }, currentBoard(this.state(), room), room);
    this.#keep(board);
  }

  #keep(board) {
    if (board) this.#boards.set(boardKey(board), board);
  }

  /** Where each room stands that looks back. */
  places() {
    const looking = [...this.#rooms].filter(([, at]) => !at.isLive);
    return new Map(looking.map(([room, at]) => [room, { key: boardKey(at.board(null)), ...at.position }]));
  }

  /** What history keeps: where each room stands; in the address the one used last. */
  #here() {
    const state = {};
    const url = new URL(location.href);
    url.searchParams.delete('at');
    for (const [room, place] of this.places()) {
      state[room] = place;
      if (!url.searchParams.has('at') || room === this.#last) url.searchParams.set('at', formatAt(place.key, room, place));
    }
    return { state, url };
  }

  /** Back or forward: stand where the entry stood. A record that this page has not seen is asked for with the page. */
  #return(kept) {
    for (const room of ROOMS) {
      this.stop(room);
      const place = kept?.[room];
      const current = currentBoard(this.state(), room);
      if (!place) this.in(room).goLive();
      else if (current && boardKey(current) === place.key) this.#goTo(room, current, place);
      else if (this.#boards.has(place.key)) this.#goTo(room, this.#boards.get(place.key), place);
      else {
        location.reload();
        return;
      }
    }
    this.onChange();
  }
}
