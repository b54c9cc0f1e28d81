// Applies one public event to the state of a match: (state, event) -> state. Pure, and without the rules of the
// game: winners, turns, tricks, scores and swings are in the events. An event whose id is already in the state
// changes nothing, so that a repeat after a reconnect is harmless. What is not changed keeps its identity.
//
// The state is the data of a `snapshot`. The board on a room's table is the one whose room member has `auction`.

export const ROOMS = ['open', 'closed'];

const ASIDE = new Set(['segment', 'board', 'room', 'at']);
const RECORD = new Set(['players', 'auction', 'play', 'claims', 'turn', 'leader', 'tricks_ns', 'tricks_ew', 'bid', 'at']);
const ENDED = new Set(['played', 'claimed', 'passed_out']);
const FRESH_ROOM = {
  state: 'in_play',
  contract: null,
  declarer: null,
  tricks: null,
  score_ns: null,
  source: null,
  checked: false,
};

/** Epoch and number of an event's id, or null for one without. */
export function cursor(id) {
  const match = /^(.+)-(\d+)$/.exec(id ?? '');
  return match && { epoch: match[1], number: Number(match[2]) };
}

/** Whether the state already holds the event. A new epoch comes with its own snapshot. */
export function isKnown(state, id) {
  const [there, here] = [cursor(id), cursor(state.last_event)];
  return Boolean(there && here && there.epoch === here.epoch && there.number <= here.number);
}

/** The state after an event `{id, name, data}`; a name we do not know only moves the cursor. */
export function fold(state, { id, name, data }) {
  if (name === 'snapshot') return id ? { ...data, last_event: id } : data;
  if (isKnown(state, id)) return state;
  const apply = HANDLERS[name];
  const next = apply ? apply(state, data) : state;
  return id ? { ...next, last_event: id } : next;
}

const HANDLERS = {
  match: (state, data) => ({ ...state, ...without(data, ASIDE) }),
  board: openBoard,
  call: (state, data) =>
    inRoom(state, data, (room) => ({
      ...room,
      auction: [...(room.auction ?? []), entry(data, ['seat', 'call', 'alert', 'explanation', 'irregular'])],
      turn: data.turn ?? null,
      at: data.at,
    })),
  explain: (state, data) =>
    inRoom(state, data, (room) => ({
      ...room,
      auction: (room.auction ?? []).map((call, index) =>
        index === data.call_index ? { ...call, alert: data.alert, explanation: data.explanation } : call,
      ),
    })),
  contract: (state, data) =>
    inRoom(state, data, (room) => ({
      ...room,
      contract: data.contract,
      declarer: data.declarer,
      leader: data.leader,
    })),
  card: (state, data) =>
    inRoom(state, data, (room) => ({
      ...room,
      play: [...(room.play ?? []), { ...entry(data, ['seat', 'card', 'trick']), winner: data.winner ?? null }],
      turn: data.turn ?? null,
      tricks_ns: data.tricks_ns,
      tricks_ew: data.tricks_ew,
      at: data.at,
    })),
  claim: (state, data) =>
    inRoom(state, data, (room) => ({
      ...room,
      claims: [...(room.claims ?? []), { seat: data.seat, tricks: data.tricks, accepted: null }],
      at: data.at,
    })),
  claim_answer: (state, data) =>
    inRoom(state, data, (room) => ({
      ...room,
      claims: (room.claims ?? []).map((claim, index, all) =>
        index === all.length - 1 ? { ...claim, accepted: data.accepted } : claim,
      ),
    })),
  undo: withdraw,
  result: (state, data) =>
    inRoom(state, data, (room) => ({
      ...room,
      ...(room.auction && { bid: bidContract(room) }),
      ...without(data, ASIDE),
      // A ruling leaves the table as it stood; only an ending takes the turn away.
      ...(room.auction && ENDED.has(data.state) && { turn: null }),
    })),
  worth: (state, data) =>
    onBoard(state, data, (board) => ({
      ...board,
      worth: data.outcomes.length ? { room: data.room, outcomes: data.outcomes } : null,
    })),
  comparison: (state, data) => {
    const compared = onBoard(state, data, (board) => ({
      ...board,
      ...entry(data, ['imps_home', 'imps_visitors', 'pending', 'held', 'award']),
    }));
    return data.totals ? { ...compared, totals: data.totals } : compared;
  },
  penalty: (state, data) => ({
    ...state,
    penalties: [...(state.penalties ?? []), entry(data, ['side', 'unit', 'amount', 'reason'])],
    ...(data.totals && { totals: data.totals }),
  }),
  closed: (state, data) => ({ ...state, status: data.reason === 'void' ? 'void' : 'closed' }),
};

/** A board comes to a room's table; the one before leaves it, and only its result stays. */
function openBoard(state, data) {
  const { room } = data;
  const opened = { ...entry(data, ['dealer', 'vulnerable', 'deal']) };
  const member = {
    ...FRESH_ROOM,
    leader: null,
    ...entry(data, ['players', 'contract', 'declarer', 'leader']),
    auction: data.auction ?? [],
    play: data.play ?? [],
    claims: [],
    turn: data.turn ?? null,
    tricks_ns: data.tricks_ns ?? 0,
    tricks_ew: data.tricks_ew ?? 0,
    at: data.at,
  };
  let found = false;
  const boards = (state.boards ?? []).map((board) => {
    if (isBoard(board, data)) {
      found = true;
      return { ...board, ...opened, [room]: member };
    }
    return board[room]?.auction ? { ...board, [room]: without(board[room], RECORD) } : board;
  });
  if (!found) {
    boards.push({ segment: data.segment, number: data.board, ...opened, [room]: member });
    boards.sort((one, other) => one.segment - other.segment || one.number - other.number);
  }
  return { ...state, boards };
}

/** So many calls and cards stand; a contract, claims or a result that came after them fall. */
function withdraw(state, data) {
  const { calls, cards } = data.to;
  return inRoom(state, data, (room) => {
    const stands = calls < (room.auction ?? []).length ? null : bidContract(room);
    return {
      ...room,
      ...FRESH_ROOM,
      contract: stands?.contract ?? null,
      declarer: stands?.declarer ?? null,
      leader: stands ? room.leader : null,
      ...entry(data, ['contract', 'declarer', 'leader']),
      auction: (room.auction ?? []).slice(0, calls),
      play: (room.play ?? []).slice(0, cards),
      claims: (room.claims ?? []).filter((claim) => claim.accepted === false),
      turn: data.turn,
      tricks_ns: data.tricks_ns,
      tricks_ew: data.tricks_ew,
      at: data.at,
    };
  });
}

/** The contract of the auction, which a result entered over the record covers but does not change. */
function bidContract(room) {
  if (room.state !== 'in_play' && room.bid !== undefined) return room.bid;
  return room.leader ? { contract: room.contract, declarer: room.declarer } : null;
}

function isBoard(board, data) {
  return board.segment === data.segment && board.number === data.board;
}

function onBoard(state, data, change) {
  return { ...state, boards: (state.boards ?? []).map((board) => (isBoard(board, data) ? change(board) : board)) };
}

function inRoom(state, data, change) {
  return onBoard(state, data, (board) => ({ ...board, [data.room]: change(board[data.room] ?? {}) }));
}

function entry(data, names) {
  return Object.fromEntries(names.filter((name) => name in data).map((name) => [name, data[name]]));
}

function without(data, names) {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.has(name)));
}
