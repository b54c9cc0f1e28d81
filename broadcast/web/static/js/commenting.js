// For commentators: a form beside the commentary that writes to the position the reader is looking at. Who writes is
// known by being signed in, or by a token: from the fragment of a link (`#commentator=...`, which reaches no server's
// log) or typed in. A token stays with this tab until it is closed.

import { part, phrase, setText, suitText } from './dom.js';

const KEY = 'commentator';
const FRAGMENT = '#commentator=';
const ROLES = ['commentator', 'director'];

/** A key for one attempt to send: the same while it is repeated, so that nothing is said twice. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class Commenting {
  #token = null;
  #isKnown = false; // or about to be
  #place = null; // where the text in hand belongs; null while there is none
  #key = null;

  /**
   * @param {{words: object, address: string, where: () => object | null, onSent: () => void}} options
   *   `where()` is what the reader is looking at: `{segment, board, room, call, card}`.
   */
  constructor(options) {
    this.options = options;
    this.root = part(document, 'writing');
    if (!this.root) return;
    this.signIn = part(this.root, 'writing-sign-in');
    this.form = part(this.root, 'writing-form');
    this.text = this.form.elements.text;
    this.root.hidden = false;
    this.#watch();
    this.#offerLanguages();
    this.#begin();
  }

  /** The page shows something else: the form says where a comment would go. */
  draw() {
    if (this.form && !this.form.hidden) this.#drawPlace();
  }

  #watch() {
    // Who is signed in is asked for a name and roles only when the form is opened.
    const isSignedIn = 'signedIn' in this.root.dataset;
    this.root.addEventListener('toggle', () => isSignedIn && this.root.open && !this.#isKnown && this.#enter(null));
    this.signIn.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#enter(this.signIn.elements.token.value.trim());
    });
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send();
    });
    this.form.addEventListener('click', ({ target }) => {
      const button = target.closest('button[type="button"]');
      if (button?.dataset.suit) this.#insert(`!${button.dataset.suit}`);
      else if (button?.dataset.part === 'writing-move') this.#bind(this.options.where());
      else if (button?.dataset.part === 'writing-leave') this.#leave();
    });
    this.text.addEventListener('input', () => {
      if (!this.text.value.trim()) this.#bind(null);
      else this.#bind(this.#place ?? this.options.where());
    });
  }

  #begin() {
    let token = kept();
    if (location.hash.startsWith(FRAGMENT)) {
      token = decodeURIComponent(location.hash.slice(FRAGMENT.length));
      history.replaceState(history.state, '', location.pathname + location.search);
      this.root.open = true;
    }
    if (token) this.#enter(token);
  }

  async #enter(token) {
    const { words } = this.options;
    this.#isKnown = true;
    const problem = part(this.signIn, 'problem');
    setText(problem, '');
    const answer = await this.#ask('/api/account', token);
    if (answer.ok && ROLES.some((role) => answer.body.roles.includes(role))) {
      this.#token = token;
      if (token) keep(token);
      setText(part(this.form, 'writing-name'), answer.body.name);
      part(this.form, 'writing-leave').hidden = !token; // a session is ended at its own page
      this.signIn.reset();
      this.#show(true);
    } else {
      if (answer.status === 401) keep(null);
      if (token) setText(problem, answer.ok ? words.not_commentator : answer.message);
      this.#show(false);
    }
  }

  #leave() {
    this.#token = null;
    keep(null);
    this.#show(false);
  }

  #show(isIn) {
    this.#isKnown = isIn;
    this.signIn.hidden = isIn;
    this.form.hidden = !isIn;
    this.draw();
  }

  #insert(mark) {
    this.text.setRangeText(mark, this.text.selectionStart, this.text.selectionEnd, 'end');
    this.text.focus();
    this.text.dispatchEvent(new Event('input'));
  }

  #bind(place) {
    this.#place = place;
    this.#key = null;
    this.#drawPlace();
  }

  #drawPlace() {
    const { words, where } = this.options;
    const [here, now] = [this.#place ?? where(), where()];
    setText(part(this.form, 'writing-place'), here ? told(here, words) : words.nothing_to_comment);
    part(this.form, 'writing-move').hidden = !this.#place || !now || told(now, words) === told(this.#place, words);
    part(this.form, 'writing-send').disabled = !here;
    part(this.form, 'writing-preview').replaceChildren(...(this.text.value.includes('!') ? suitText(this.text.value) : []));
  }

  async #send() {
    const text = this.text.value.trim();
    const place = this.#place ?? this.options.where();
    if (!text || !place) return;
    this.#key ??= newKey();
    const send = part(this.form, 'writing-send');
    const said = part(this.form, 'writing-said');
    send.disabled = true;
    setText(said, '');
    const comment = { ...place, language: this.form.elements.language.value, text };
    const answer = await this.#ask(`/api${this.options.address}/comments`, this.#token, comment);
    said.classList.toggle('form-problem', !answer.ok);
    setText(said, answer.ok ? this.options.words.comment_sent : answer.message);
    send.disabled = false;
    if (answer.status === 401) this.#leave();
    if (!answer.ok) return;
    this.text.value = '';
    this.#bind(null);
    this.options.onSent?.();
  }

  /** An answer as `{ok, status, body, message}`; without a network its message says so. */
  async #ask(path, token, body = null) {
    const url = new URL(path, location.href);
    url.searchParams.set('lang', document.documentElement.lang.slice(0, 2));
    const headers = token ? { Authorization: `Bearer ${token}` } : {};
    if (body) Object.assign(headers, { 'Content-Type': 'application/json', 'Idempotency-Key': this.#key });
    try {
      const answer = await fetch(url, {
        method: body ? 'POST' : 'GET',
        headers,
        body: body && JSON.stringify(body),
        credentials: token ? 'omit' : 'same-origin',
        cache: 'no-store',
      });
      const given = await answer.json();
      return { ok: answer.ok, status: answer.status, body: given, message: given.message ?? '' };
    } catch {
      return { ok: false, status: 0, body: null, message: this.options.words.not_sent };
    }
  }

  #offerLanguages() {
    const select = this.form.elements.language;
    const page = document.documentElement.lang.slice(0, 2);
    for (const option of select.options) {
      const name = new Intl.DisplayNames([option.value], { type: 'language', fallback: 'code' }).of(option.value);
      option.textContent = name;
      option.selected = option.value === page;
    }
  }
}

function told({ board, room, call, card }, words) {
  const where = `${phrase(words.board, { number: board })}, ${words.room[room]}`;
  return `${where} · ${phrase(words.position, { calls: call, cards: card })}`;
}

function kept() {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null; // storage is closed to us; the token then lasts as long as the page
  }
}

function keep(token) {
  try {
    if (token) sessionStorage.setItem(KEY, token);
    else sessionStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}
