// A board in one room as the page shows it at a position: the browser's twin of broadcast/web/board_view.py.
// Pure. A position is a number of calls and of cards that stand; null is the end of the record.

export const SEATS = 'NESW';
export const GRID = 'WNES';
export const SUITS = 'SHDC';

/** The board on the table of a room: the last one whose auction the state still holds, or undefined. */
export function currentBoard(state, room) {
  return (state.boards ?? []).findLast((board) => board[room]?.auction);
}

export function boardKey(board) {
  return `${board.segment}.${board.number}`;
}

export function tableView(match, board, room, position = null) {
  const here = board[room] ?? {};
  const auction = here.auction ?? [];
  const play = here.play ?? [];
  const calls = clamp(position?.calls ?? auction.length, auction.length);
  const cards = calls < auction.length ? 0 : clamp(position?.cards ?? play.length, play.length);
  const shownAuction = auction.slice(0, calls);
  const shownPlay = play.slice(0, cards);
  const atEnd = calls === auction.length && cards === play.length;
  const bidOut = calls === auction.length && here.contract != null;
  // With hidden results a contract may be kept back, but not that there is a leader.
  const isPlay = bidOut || (calls === auction.length && here.leader != null);
  const state = here.state ?? (here.auction ? 'in_play' : 'not_played'); // hidden results leave the state out
  const turn = turnAt(here, auction, play, calls, cards);
  const vulnerable = board.vulnerable || 'None';
  const hands = {};
  for (const seat of SEATS) {
    hands[seat] = {
      seat,
      name: playerName(match, board, room, seat),
      team: teamAt(match, board, room, seat),
      vulnerable: vulnerable === 'All' || (vulnerable !== 'None' && vulnerable.includes(seat)),
      isDealer: seat === board.dealer,
      isTurn: seat === turn,
      isDummy: cards > 0 && bidOut && here.declarer != null && seat === partnerOf(here.declarer),
      suits: suitsOf(board.deal, seat, shownPlay),
    };
  }
  return {
    room,
    segment: board.segment,
    number: board.number,
    dealer: board.dealer ?? '',
    vulnerable,
    state,
    phase: atEnd && state !== 'in_play' ? state : isPlay ? 'playing' : 'bidding',
    hands,
    grid: gridOf(shownAuction, board.dealer),
    lastCalls: shownPlay.length ? {} : Object.fromEntries(shownAuction.slice(-4).map((call) => [call.seat, call.call])),
    contract: bidOut ? here.contract : null,
    declarer: bidOut ? here.declarer : null,
    trick: trickOf(shownPlay, 0),
    lastTrick: trickOf(shownPlay, 1),
    tricksNs: tricksOf(here, shownPlay, atEnd, 'NS'),
    tricksEw: tricksOf(here, shownPlay, atEnd, 'EW'),
    turn,
    tricks: atEnd ? (here.tricks ?? null) : null,
    scoreNs: atEnd ? (here.score_ns ?? null) : null,
    calls,
    cards,
    callsRecorded: auction.length,
    cardsRecorded: play.length,
    atEnd,
  };
}

export function partnerOf(seat) {
  return SEATS[(SEATS.indexOf(seat) + 2) % 4];
}

function clamp(number, most) {
  return Math.max(0, Math.min(number, most));
}

function turnAt(here, auction, play, calls, cards) {
  if (calls < auction.length) return auction[calls].seat;
  if (cards < play.length) return play[cards].seat;
  return (here.state ?? 'in_play') === 'in_play' ? (here.turn ?? null) : null;
}

function segmentOf(match, board) {
  return (match.segments ?? []).find((segment) => segment.number === board.segment);
}

export function teamAt(match, board, room, seat) {
  const nsOpen = segmentOf(match, board)?.ns_open ?? 'home';
  const other = nsOpen === 'home' ? 'visitors' : 'home';
  return 'NS'.includes(seat) === (room === 'open') ? nsOpen : other;
}

function playerName(match, board, room, seat) {
  const person = board[room]?.players?.[seat] ?? segmentOf(match, board)?.lineups?.[room]?.[seat];
  return (typeof person === 'object' && person ? person.name : person) || null;
}

function suitsOf(deal, seat, play) {
  const hand = dealHands(deal)[seat];
  if (!hand) return null;
  const played = new Set(play.map((entry) => entry.card));
  return [...SUITS].map((suit, row) => ({
    suit,
    cards: [...hand[row]].map((rank) => ({ card: suit + rank, played: played.has(suit + rank) })),
  }));
}

/** Ranks by suit for each released hand of a PBN deal; hands written "-" are left out. */
export function dealHands(deal) {
  if (!deal) return {};
  const [first, rest] = deal.split(':');
  const start = SEATS.indexOf(first);
  const hands = {};
  rest.split(' ').forEach((hand, place) => {
    const suits = hand.split('.');
    if (suits.length === 4) hands[SEATS[(start + place) % 4]] = suits;
  });
  return hands;
}

function gridOf(auction, dealer) {
  if (!auction.length) return Array(dealer ? GRID.indexOf(dealer) : 0).fill(null);
  const cells = [];
  auction.forEach((call, index) => {
    while (GRID[cells.length % 4] !== call.seat) cells.push(null);
    cells.push({ ...call, index });
  });
  return cells;
}

/** Tricks of a side: counted from the cards, at the end of a board as its result has them (a claim). */
function tricksOf({ tricks, declarer }, play, atEnd, side) {
  if (atEnd && tricks != null && declarer != null) return side.includes(declarer) ? tricks : 13 - tricks;
  return play.filter((card) => card.winner && side.includes(card.winner)).length;
}

function trickOf(play, back) {
  if (!play.length) return null;
  const number = play.at(-1).trick - back;
  const entries = play.filter((entry) => entry.trick === number);
  if (!entries.length) return null;
  return {
    number,
    cards: Object.fromEntries(entries.map((entry) => [entry.seat, entry.card])),
    winner: entries.find((entry) => entry.winner)?.winner ?? null,
  };
}

/** Tricks against the contract: "=", "+1", "−2"; nothing while either is unknown. */
export function resultOf(contract, tricks) {
  if (tricks == null || !/^\d/.test(contract ?? '')) return '';
  const over = tricks - 6 - Number(contract[0]);
  return over === 0 ? '=' : withSign(over);
}

export function signed(value) {
  if (value == null) return '';
  const size = Math.abs(value);
  return (value < 0 ? '−' : '') + (Number.isInteger(size) ? String(size) : String(Number(size.toFixed(2))));
}

export function withSign(value) {
  return value == null ? '' : (value > 0 ? '+' : '') + signed(value);
}
