// What the page draws: the server's view with the entries that are still on their way laid over it.
//
// Without the rules of the game: the next call is guessed to be the next seat's, a card is its holder's, and who won
// a trick or whether the auction is over is for the server to say. Until it has, `sure` is false and nothing is
// disabled.

const ROUND = ['N', 'E', 'S', 'W'];
const FINAL = new Set(['played', 'claimed', 'passed_out', 'adjusted', 'cancelled']);

export const leftOf = (seat) => ROUND[(ROUND.indexOf(seat) + 1) % 4];

/** Where the room stands by the server's word alone. */
export function phaseOf(view) {
  const board = view.board;
  if (view.closed) return 'closed';
  if (!board) return 'none';
  if (board.skipped !== null) return 'skipped';
  if (FINAL.has(board.state)) return 'over';
  if (!board.deal) return 'no_deal';
  if (board.claims.at(-1)?.accepted === null) return 'claim';
  return board.contract ? 'play' : 'auction';
}

/** The view with entries laid over: {phase, auction, play, turn, sure, ahead}. */
export function ahead(view, entries) {
  const now = {
    phase: phaseOf(view),
    auction: view.board?.auction.map((call) => ({ ...call })) ?? [],
    play: [...(view.board?.play ?? [])],
    turn: view.board?.turn ?? null,
    sure: true,
    ahead: 0,
  };
  for (const entry of entries) {
    if (entry.state === 'stored' && entry.sequence <= view.room_sequence) continue;
    if (entry.state === 'refused' || entry.state === 'stale') break;
    lay(now, entry);
    now.sure = false;
    now.ahead += 1;
  }
  return now;
}

function lay(now, { command, state }) {
  const waiting = state === 'waiting';
  switch (command.type) {
    case 'call':
      now.auction.push({ ...command, waiting });
      now.turn = leftOf(command.seat);
      now.phase = seemsOver(now.auction) ? 'either' : 'auction';
      break;
    case 'card':
      now.play.push({ ...command, waiting, winner: null });
      now.turn = now.play.length % 4 ? leftOf(command.seat) : null;
      now.phase = 'play';
      break;
    case 'explain':
      if (now.auction[command.call_index]) Object.assign(now.auction[command.call_index], command, { waiting });
      break;
    case 'undo':
      takeBack(now, command);
      break;
    case 'stop_clock':
    case 'resume_clock':
      break;
    default:
      now.phase = 'waiting';
      now.turn = null;
  }
}

function takeBack(now, { steps, to }) {
  if (now.phase !== 'auction' && now.phase !== 'either' && now.phase !== 'play') {
    now.phase = 'waiting';
    return;
  }
  const cards = to ? to.cards : Math.max(0, now.play.length - steps);
  const calls = to ? to.calls : now.auction.length - Math.max(0, steps - now.play.length);
  const undone = now.play[cards]?.seat ?? now.auction[calls]?.seat ?? null;
  now.play.length = Math.min(now.play.length, cards);
  now.auction.length = Math.min(now.auction.length, Math.max(0, calls));
  now.phase = now.play.length || seemsOver(now.auction) ? 'play' : 'auction';
  now.turn = undone;
}

/** Three passes in a row behind something: not a rule here, only a reason to offer cards, too. */
function seemsOver(auction) {
  return auction.length > 3 && auction.slice(-3).every(({ call }) => call === 'Pass');
}

/** The four hands of a deal in PBN: {N: ['SK', 'SQ', ...], ...}, spades first, high cards first. */
export function handsOf(deal) {
  const hands = {};
  let seat = deal[0];
  for (const hand of deal.slice(2).split(' ')) {
    hands[seat] = hand.split('.').flatMap((ranks, suit) => [...ranks].map((rank) => 'SHDC'[suit] + rank));
    seat = leftOf(seat);
  }
  return hands;
}

/** Who was dealt a card. */
export function holderOf(hands, card) {
  return ROUND.find((seat) => hands[seat].includes(card)) ?? null;
}
