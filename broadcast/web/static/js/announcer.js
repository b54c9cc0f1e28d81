// Tells screen readers what happens, as short sentences in a polite live region, at a rate one can listen to:
// one utterance in two seconds, and when more has happened than can be said, only the newest of each room.

import { authorName, phrase, setText } from './dom.js';
import { contractWords } from './room.js';

const EVERY = 2_000;
const MOST = 4;

export class Announcer {
  #waiting = [];
  #timer = null;

  constructor(region, words) {
    this.region = region;
    this.words = words;
  }

  tell(event, state) {
    const sentence = sentenceFor(event, state, this.words);
    if (!sentence) return;
    this.#waiting.push({ room: event.data.room ?? 'both', sentence });
    if (this.#waiting.length > MOST) {
      const newest = new Map(this.#waiting.map((said) => [said.room, said]));
      this.#waiting = [...newest.values()];
    }
    this.#timer ??= setTimeout(() => this.#speak(), 0);
  }

  #speak() {
    setText(this.region, this.#waiting.map(({ sentence }) => sentence).join(' '));
    this.#waiting = [];
    this.#timer = setTimeout(() => {
      this.#timer = null;
      if (this.#waiting.length) this.#speak();
    }, EVERY);
  }
}

/** What an event is in words, or null for those that are not spoken. Pure. */
export function sentenceFor({ name, data }, state, words) {
  const room = words.room[data.room];
  const seat = words.seat[data.seat];
  switch (name) {
    case 'board':
      return phrase(words.say_board, { room, number: data.board });
    case 'call': {
      const said = phrase(words.say_call, { room, seat, call: callWords(data.call, words) });
      return data.explanation ? `${said} ${phrase(words.say_alert, { explanation: data.explanation })}` : said;
    }
    case 'contract':
      return phrase(words.say_contract, {
        room,
        contract: contractWords(data.contract, data.declarer, words),
      });
    case 'card': {
      const card = { rank: words.rank[data.card[1]], suit: words.suit[data.card[0]] };
      const said = phrase(words.say_card, { room, seat, ...card });
      return data.winner ? `${said} ${phrase(words.say_trick, { seat: words.seat[data.winner] })}` : said;
    }
    case 'undo':
      return phrase(words.say_undo, { room });
    case 'claim':
      return phrase(words.say_claim, { room, seat, tricks: data.tricks });
    case 'result':
      if (data.checked) return null; // it has ended before: somebody has looked at it since
      if (data.contract === 'Pass') return phrase(words.say_passed_out, { room, number: data.board });
      if (data.tricks == null) return null;
      return phrase(words.say_result, { room, number: data.board, tricks: data.tricks });
    case 'comparison': {
      if (data.imps_home == null) return null;
      if (data.imps_home === 0) return phrase(words.say_comparison_level, { number: data.board });
      const side = data.imps_home > 0 ? 'home' : 'visitors';
      const pattern = Math.abs(data.imps_home) === 1 ? words.say_comparison_one : words.say_comparison;
      return phrase(pattern, { number: data.board, team: state[side].name, imps: Math.abs(data.imps_home) });
    }
    case 'comment':
      return phrase(words.say_comment, { author: authorName(data.author, words), text: data.text });
    default:
      return null;
  }
}

function callWords(call, words) {
  if (call === 'Pass') return words.say_pass;
  if (call === 'X') return words.say_double;
  if (call === 'XX') return words.say_redouble;
  return phrase(words.say_bid, { level: call[0], suit: words.suit[call[1]] });
}
