// Making elements. Text is always set as text: nothing that came from people or the network becomes markup.

/** An element with attributes (null and false are left out) and children (nodes or text). */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ''));
  return element;
}

/** The first element below `root` that plays a part. */
export function part(root, name) {
  return root.querySelector(`[data-part="${name}"]`);
}

/** Sets text only when it differs, so that nothing is announced or repainted for no reason. */
export function setText(element, text) {
  if (element && element.textContent !== text) element.textContent = text;
}

/** The JSON of a `<script type="application/json">` block. */
export function readJson(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

/** A name, shown in its own direction wherever it stands in a text of ours, as broadcast/web/bidi.py does it. */
export function isolated(text) {
  const plain = text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
  return /[\p{Script=Hebrew}\p{Script=Arabic}\u0700-\u08ff\u200f\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(plain)
    ? `\u2068${plain}\u2069`
    : plain;
}

/** A phrase with its {places} filled. */
export function phrase(pattern, values = {}) {
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? isolated(String(values[name])) : whole));
}

const drawn = new WeakMap();

/** Draws a part anew only when what it shows has changed: 'first' over what the server drew, then 'changed'. */
export function redraw(element, key, make) {
  const signature = JSON.stringify(key);
  if (!element || drawn.get(element) === signature) return false;
  const done = drawn.has(element) ? 'changed' : 'first';
  drawn.set(element, signature);
  element.replaceChildren(...make());
  return done;
}

// U+FE0E asks for the text form of the symbols; without it phones paint emoji.
const SYMBOLS = { S: '♠\ufe0e', H: '♥\ufe0e', D: '♦\ufe0e', C: '♣\ufe0e' };

export function suitNode(suit) {
  return h('span', { class: `suit suit-${suit}` }, SYMBOLS[suit] ?? suit);
}

export function rankText(card) {
  return card[1] === 'T' ? '10' : card[1];
}

export function cardNode(card) {
  return h('span', { class: 'card-face' }, suitNode(card[0]), h('span', { class: 'rank' }, rankText(card)));
}

/** A call or contract: "4SX" with a suit symbol, "Pass" in the page's language, anything else as it is. */
export function callNode(call, words) {
  if (call === 'Pass') return document.createTextNode(words.pass);
  if (!/^\d/.test(call ?? '')) return document.createTextNode(call ?? '');
  const notrump = call.slice(1).startsWith('NT');
  const rest = call.slice(notrump ? 3 : 2);
  const doubled = rest && h('span', { class: 'doubled' }, rest.replaceAll('X', '×'));
  return h('span', { class: 'contract' }, call[0], notrump ? 'NT' : suitNode(call[1]), doubled);
}

/** Text that somebody wrote, with !s !h !d !c as suit symbols. */
export function suitText(text) {
  return (text ?? '')
    .split(/!([shdcSHDC])(?![A-Za-z])/)
    .map((piece, place) => (place % 2 ? suitNode(piece.toUpperCase()) : document.createTextNode(piece)));
}

/** Who writes; an operator's comment has the code of the room. */
export function authorName(author, words) {
  return Object.hasOwn(words.room, author ?? '') ? words.room[author] : (author ?? words.comment);
}
