// The operator's page: one room, entered by touch or keyboard.
//
// The server's view is drawn, with what is on its way laid over it (ahead.js). Every entry goes through the outbox;
// every event of the room's stream, from whichever device, brings the view up to date.

import { cardNode, h, part, phrase, readJson, redraw, setText } from '../dom.js';
import { ahead, handsOf, holderOf } from './ahead.js';
import { Dealing } from './dealing.js';
import { Dialogs } from './dialogs.js';
import { EntryPanel } from './entry.js';
import { Naming } from './naming.js';
import { Notice } from './notice.js';
import { Outbox } from './outbox.js';
import { keepPresses } from './press.js';
import { resultDialog } from './result.js';
import { Supply } from './supply.js';
import { Table } from './table.js';
import { Typed } from './typed.js';

const PATIENCE = 400; // ms that the page waits for the server before it offers what it cannot know

const words = readJson('words');
const naming = new Naming(words);
const place = (name) => part(document, name);
const state = { view: readJson('table'), seat: null, alert: { on: false, text: '' }, typed: '', unknown: '', refused: null, last: '', sentAt: 0 };
const { match, room } = state.view;
const page = `/operate/${encodeURIComponent(match)}/${room}`;
const api = `/api/matches/${encodeURIComponent(match)}/rooms/${room}`;
const language = document.documentElement.lang;

const outbox = new Outbox({
  name: `twinroom/operate/${match}/${room}`,
  address: `${api}/commands`,
  language,
  onChange: draw,
  onStored: () => supply.refresh(),
});
const supply = new Supply({
  table: `${page}/table${location.search}`,
  events: `${api}/events`,
  after: () => state.view.room_sequence,
  onTable: (view) => {
    if (view.room_sequence < state.view.room_sequence) return;
    state.view = view;
    outbox.seen(view.room_sequence);
    draw();
  },
  onRefused: (problem) => outbox.block(problem),
});
const dialogs = new Dialogs({
  element: place('dialog'),
  words,
  naming,
  send,
  menu: {
    undo: () => dialogs.undo(present(), isEnded()),
    auction: showAuction,
    result,
    boards: () => dialogs.boards(state.view, ['over', 'skipped', 'none'].includes(present().phase)),
    skip: () => dialogs.skip(state.view),
    isStopped: () => Boolean(state.view.neutral),
    keepsOrder: () => state.view.keeps_order,
    resumeClock,
  },
});
const dealing = new Dealing({ dialogs, words, naming });
const table = new Table({
  words,
  naming,
  onCall: (index) => dialogs.call(present(), index),
  onSeat: (seat) => choose({ seat }),
  onResume: resumeClock,
});
const panel = new EntryPanel({
  words,
  naming,
  act: {
    call,
    card,
    alert,
    alertLast,
    explain: (text) => Object.assign(state.alert, { text }),
    answer: (accepted) => send({ type: 'claim_answer', accepted }),
    open,
    reopen: (board) => dialogs.open(board),
    deal: (board) => dealing.open(board),
    result,
  },
});
const notice = new Notice({ element: place('notice'), words, naming, outbox, send, clear: () => choose({ refused: null }) });
const typed = new Typed({
  onCall: call,
  onCard: typedCard,
  onText: (text) => choose({ typed: text, unknown: '' }),
  onUnknown: (text) => choose({ unknown: text }),
});

function present() {
  return ahead(state.view, outbox.entries);
}

function choose(changes) {
  Object.assign(state, changes);
  draw();
}

function send(command) {
  if (!outbox.add(command)) {
    notice.insist();
    return;
  }
  Object.assign(state, { seat: null, alert: { on: false, text: '' }, refused: null, unknown: '', last: named(command), sentAt: Date.now() });
  setTimeout(draw, PATIENCE + 20);
  draw();
}

/** Sends what is allowed; tells why the rest is not, and offers to record it where a table may let it stand. */
function attempt(command, reason) {
  if (reason) choose({ refused: { command, ...reason } });
  else send(command);
}

/** What the status says of an entry of ours. */
function named(command) {
  return phrase(words.last_entry, { entry: naming.entryText(command) });
}

function call(made, seat = state.seat ?? present().turn) {
  if (!seat) return;
  const now = present();
  const reasons = state.view.refused;
  const reason = now.sure ? (seat === now.turn ? reasons.calls[made] : reasons.seats[seat]) : null;
  const explanation = state.alert.text.trim() || null;
  attempt({ type: 'call', seat, call: made, ...(state.alert.on && { alert: true, explanation }) }, reason);
}

function alert() {
  choose({ alert: { on: !state.alert.on, text: '' } });
  // On a phone the keyboard would cover the bidding box; whoever has something to explain taps the field.
  if (state.alert.on && matchMedia('(pointer: fine)').matches) {
    place('entry').querySelector('[data-action="explanation"]')?.focus();
  }
}

function alertLast() {
  choose({ alert: { on: false, text: '' } });
  const now = present();
  dialogs.call(now, now.auction.length - 1, true);
}

/** The auction during the play, where a phone has no room for it. */
function showAuction() {
  const now = present();
  const calls = table.auction(state.view, now, null);
  dialogs.show(words.auction_title, h('p', {}, now.auction.length ? words.auction_help : words.undo_none), calls);
}

function card(seat, played) {
  const now = present();
  const reasons = state.view.refused;
  const reason = now.sure ? (seat === now.turn ? reasons.cards[played] : reasons.seats[seat]) : null;
  attempt({ type: 'card', seat, card: played }, reason);
}

function typedCard(played) {
  if (dealing.isOpen) {
    dealing.give(played);
    return;
  }
  const seat = holderOf(handsOf(state.view.board.deal), played);
  if (present().play.some((each) => each.card === played)) {
    choose({ refused: { command: null, message: phrase(words.card_gone, { card: played }), irregular: null } });
  } else card(seat, played);
}

function undo() {
  if (state.refused) {
    choose({ refused: null });
    return;
  }
  const { auction, play } = present();
  const gone = play.length ? { ...play.at(-1), type: 'card' } : auction.length ? { ...auction.at(-1), type: 'call' } : null;
  const wasEnded = isEnded();
  if (!outbox.takeBack()) send({ type: 'undo', steps: 1 });
  if (gone && !wasEnded) choose({ last: phrase(words.last_undone, { entry: naming.entryText({ ...gone, alert: false }) }) });
}

function open(next) {
  const board = state.view.boards.find((each) => each.segment === next.segment && each.number === next.board);
  if (board?.needs_deal) dealing.open(next);
  else send({ type: 'open_board', segment: next.segment, board: next.board });
}

function result() {
  if (!state.view.board || state.view.board.skipped !== null) return;
  resultDialog(dialogs, state.view, (asked) => supply.score(`${page}/score?${new URLSearchParams(asked)}`));
}

function resumeClock() {
  dialogs.close();
  send({ type: 'resume_clock' });
}

function isEnded() {
  return ['over', 'claim'].includes(present().phase);
}

function onlyCard(now) {
  const [first, ...others] = state.view.legal.cards;
  return now.sure && now.phase === 'play' && first && !others.length ? first : null;
}

function draw() {
  const { view } = state;
  const now = present();
  const seat = state.seat ?? now.turn;
  const has = Boolean(view.board);
  Object.assign(document.body.dataset, { phase: now.phase, turn: seat ?? 'unknown' });
  redraw(place('bar'), [view.board, view.teams, now.phase, view.room, view.neutral], () => table.bar(view, now));
  const drawn = redraw(place('record'), [view.board, now, seat], () =>
    has ? [now.play.length || now.phase === 'play' ? table.trick(view, now) : '', table.auction(view, now, seat)] : [],
  );
  if (drawn) for (const grid of place('record').querySelectorAll('.op-auction')) table.showLast(grid);
  redraw(place('hands'), [view.board, now, seat], () => (has ? table.hands(view, now, seat) : []));
  drawEntry(now, seat);
  keepFocus(place('actions'), () => redraw(place('actions'), [now, view.legal], () => actions(now)));
  notice.draw(state.refused);
  drawStatus();
}

/** The panel stays as it is while the server is about to say whose turn it is: nothing flickers between two cards. */
function drawEntry(now, seat) {
  const { view, alert: alerted } = state;
  const isOpen = now.sure || now.phase === 'auction' || (now.phase === 'play' && seat);
  const settling = !isOpen && !outbox.offline && Date.now() - state.sentAt < PATIENCE;
  place('entry').toggleAttribute('data-settling', settling);
  if (settling) return;
  keepFocus(place('entry'), () =>
    redraw(place('entry'), [view, now, seat, alerted.on], () => panel.draw(view, now, seat, alerted)),
  );
}

function actions(now) {
  const button = (name, label, act, attributes = {}) => {
    const made = h('button', { type: 'button', class: `op-action op-${name}`, 'data-action': name, ...attributes }, label);
    made.addEventListener('click', act);
    return made;
  };
  const only = onlyCard(now);
  return [
    button('undo', words.undo, undo, { disabled: !now.auction.length && !now.ahead && !isEnded() }),
    only
      ? button('only', h('span', {}, ...naming.fill(words.only_card, { card: h('b', {}, cardNode(only)) })), playOnly)
      : h('span', { class: 'op-only' }),
    button('claim', words.claim_button, () => dialogs.claim(state.view, present().sure), { disabled: now.phase !== 'play' }),
    button('more', words.more, () => dialogs.more(outbox.waiting)),
  ];
}

function playOnly() {
  const now = present();
  const only = onlyCard(now);
  if (only) card(now.turn, only);
}

function drawStatus() {
  const element = place('status');
  const count = outbox.waiting.length;
  const held = outbox.held;
  let [mark, text] = ['saved', words.saved];
  if (!outbox.leads && outbox.isElsewhere) [mark, text] = ['held', words.elsewhere];
  else if (outbox.blocked) [mark, text] = ['held', phrase(words.blocked_status, { count })];
  else if (held) [mark, text] = ['held', held.state === 'stale' ? words.stale_status : words.refused_status];
  else if (outbox.offline) [mark, text] = ['waiting', count ? phrase(words.offline_waiting, { count }) : words.offline];
  else if (!outbox.durable) [mark, text] = ['waiting', words.not_durable];
  else if (count) [mark, text] = ['sending', phrase(words.sending, { count })];
  element.dataset.state = mark;
  const last = ['saved', 'sending'].includes(mark) ? state.last : '';
  element.toggleAttribute('data-unknown', Boolean(state.unknown));
  const { phase } = present();
  const help = phrase(phase === 'play' ? words.unknown_card : words.unknown_call, { keys: state.unknown });
  const shown = [text, state.typed ? `⌨ ${state.typed}` : last].filter(Boolean).join(' · ');
  setText(element, state.unknown ? `⌨ ${help}` : shown);
}

/** Redraws and gives the focus back to the button that stands for the same thing. */
function keepFocus(element, redrawn) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const { card: was, call: said, action } = focused?.dataset ?? {};
  redrawn();
  if (!focused || focused.isConnected) return;
  const same = was ? `[data-card="${was}"]` : said ? `[data-call="${said}"]` : `[data-action="${action}"]`;
  (element.querySelector(`${same}:not(:disabled)`) ?? place('entry')).focus();
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest('input, select, textarea')) {
    // The explanation is written: the call itself comes next.
    if (event.key === 'Enter' && event.target.closest('[data-action="explanation"]')) place('entry').focus();
    return;
  }
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (dealing.isOpen) {
    if (typed.take(key, { calls: false, cards: true })) event.preventDefault();
    return;
  }
  if (dialogs.isOpen) return;
  const { phase } = present();
  const awaited = { calls: phase === 'auction' || phase === 'either', cards: phase === 'play' || phase === 'either' };
  const act = {
    Escape: () => (typed.clear(), choose({ refused: null, seat: null, alert: { on: false, text: '' } })),
    Backspace: () => (typed.text ? typed.clear() : undo()),
    u: undo,
    l: () => phase === 'play' && dialogs.claim(state.view, present().sure),
    m: () => dialogs.more(outbox.waiting),
    '?': () => dialogs.more(outbox.waiting),
    ...(phase === 'auction' && { a: alert }),
  }[key];
  const onButton = event.target.closest('button, a');
  if (act) act();
  else if (key === 'Enter' && !onButton) (playOnly(), place('entry').querySelector('[data-main]')?.click());
  else if (!typed.take(key, awaited)) return;
  event.preventDefault();
});

/** The screen stays on while the page is looked at; where the browser cannot, it goes dark as always. */
async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  await navigator.wakeLock?.request('screen').catch(() => null);
}
document.addEventListener('visibilitychange', stayAwake);
stayAwake();

/** One tab of a browser sends for a room, so that two do not send the same store's entries. */
function takeLead() {
  if (!navigator.locks) {
    outbox.lead();
    return;
  }
  const name = `twinroom/operate/${match}/${room}`;
  navigator.locks.request(name, { ifAvailable: true }, (lock) => {
    if (lock) return lead();
    outbox.isElsewhere = true;
    draw();
    navigator.locks.request(name, lead);
    return null;
  });
}

function lead() {
  outbox.lead();
  return new Promise(() => {});
}

/** What a page without a network is made of, kept by the worker beside what it keeps by itself. */
async function keepForOffline() {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register(new URL('./offline.js', import.meta.url), { scope: '/operate/' });
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
    const parts = loaded.filter((name) => name.startsWith(`${location.origin}/static/`));
    const answered = new MessageChannel();
    answered.port1.onmessage = () => (document.body.dataset.offline = 'ready');
    active.postMessage({ keep: [location.href, ...parts] }, [answered.port2]);
  } catch {
    // Without it the page is only less patient: it must stay open while there is no network.
  }
}

for (const name of ['entry', 'actions']) keepPresses(place(name));
outbox.seen(state.view.room_sequence);
draw();
takeLead();
supply.start();
if (!navigator.onLine) supply.refresh();
keepForOffline();
