// The commentary beside the rooms: comments as they come, in the languages the reader wants, and, for who is spared
// results and looks back, none that speaks of what comes after.

import { authorName, h, part, phrase, suitText } from './dom.js';
import { keptQuery } from './ways.js';

const KEY = 'comments';

export class Talk {
  #list;
  #filter;
  #looking = new Map();

  /** @param {boolean} spare whether comments after a position are kept from who looks back */
  constructor(root, words, spare) {
    this.words = words;
    this.spare = spare;
    this.root = root;
    this.#list = part(root, 'comments');
    this.#filter = part(root, 'talk-language');
    this.#filter.addEventListener('change', () => this.#choose());
    this.#offer();
  }

  /** A comment goes to the end of the list, as text. */
  add(comment, state) {
    if ('earlier' in this.#list.dataset) return; // a page of earlier ones: a link leads to the newest
    const list = this.#list;
    const nearEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80;
    list.append(commentNode(comment, state, this.words));
    part(this.root, 'no-comments').hidden = true;
    this.#offer();
    if (nearEnd) list.scrollTop = list.scrollHeight;
  }

  /** @param {Map<string, {key: string, calls: number, cards: number}>} looking where each room stands that looks back */
  draw(looking) {
    this.#looking = looking;
    this.#show();
  }

  /** Languages to choose from, once there are two. */
  #offer() {
    const spoken = [...new Set([...this.#list.children].map((each) => each.lang).filter(Boolean))].sort();
    const known = [...this.#filter.options].slice(1).map((option) => option.value);
    if (spoken.join() !== known.join()) {
      const names = new Intl.DisplayNames([document.documentElement.lang], { type: 'language', fallback: 'code' });
      this.#filter.options.length = 1;
      for (const language of spoken) this.#filter.append(h('option', { value: language }, names.of(language)));
      this.#filter.value = spoken.includes(stored()) ? stored() : '';
    }
    this.#filter.closest('label').hidden = spoken.length < 2;
    this.#show();
  }

  #choose() {
    try {
      if (this.#filter.value) localStorage.setItem(KEY, this.#filter.value);
      else localStorage.removeItem(KEY);
    } catch {
      // Storage is closed to us; the choice then lasts as long as the page.
    }
    this.#show();
  }

  #show() {
    for (const each of this.#list.children) {
      const [key, room, calls, cards] = (each.dataset.at ?? '').split('-');
      const stands = this.#looking.get(room);
      // Only comments of the board on the table come to who is spared results: one on another board speaks of a later.
      const after = !stands ? -1 : key !== stands.key ? 1 : calls - stands.calls || cards - stands.cards;
      each.classList.toggle('is-here', after === 0);
      const isForeign = this.#filter.value && each.lang && each.lang !== this.#filter.value;
      each.hidden = Boolean(isForeign || (this.spare && after > 0));
    }
  }
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function commentNode(comment, state, words) {
  const where = comment.room ? `, ${words.room[comment.room]}` : '';
  const place = phrase(words.board, { number: comment.board }) + where;
  const url = new URL(`/matches/${encodeURIComponent(state.id)}/boards/${comment.segment}.${comment.board}`, location.href);
  url.search = keptQuery();
  for (const name of ['room', 'call', 'card']) if (comment[name] != null) url.searchParams.set(name, comment[name]);
  const at = `${comment.segment}.${comment.board}-${comment.room ?? ''}-${comment.call ?? 0}-${comment.card ?? 0}`;
  return h(
    'li',
    { class: 'comment is-new', lang: comment.language ?? '', 'data-at': at },
    h('p', { class: 'comment-head' }, h('b', { class: 'author' }, authorName(comment.author, words)), ' ', h('a', { href: url }, place)),
    h('p', { class: 'comment-text' }, ...suitText(comment.text)),
  );
}
