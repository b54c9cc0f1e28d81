// What the operator has to know or decide, at the top until it is decided: why something is not legal, what the
// server refused, what others entered meanwhile, a link that is no longer good.

import { h, phrase, redraw } from '../dom.js';

const IRREGULAR_RULES = new Set(['insufficient', 'out_of_turn']);

export class Notice {
  /** @param {{element: HTMLElement, words: object, naming: object, outbox: object, send: (command) => void,
   *           clear: () => void}} options */
  constructor(options) {
    Object.assign(this, options);
  }

  /** @param {{command: object, message: string, irregular: string|null}|null} refused what this page did not send */
  draw(refused) {
    const { outbox } = this;
    const key = [refused, outbox.held, outbox.blocked, outbox.already, outbox.waiting.length];
    redraw(this.element, key, () => {
      if (outbox.blocked) return this.#blocked();
      if (outbox.held?.state === 'stale') return this.#stale(outbox.held);
      if (outbox.held) return this.#refusedByServer(outbox.held);
      if (refused) return this.#refusedHere(refused);
      if (outbox.already) return this.#already(outbox.already);
      return [];
    });
  }

  /** Something has to be decided before more is entered. */
  insist() {
    this.element.scrollIntoView({ block: 'start' });
    this.element.querySelector('button')?.focus();
  }

  #button(kind, label, act) {
    const button = h('button', { type: 'button', class: kind }, label);
    button.addEventListener('click', act);
    return button;
  }

  #box(kind, title, ...content) {
    const choices = content.filter((each) => each instanceof HTMLButtonElement);
    const rest = content.filter((each) => !(each instanceof HTMLButtonElement));
    const head = title.length ? [h('p', { class: 'op-notice-title' }, ...title)] : [];
    return [h('div', { class: `op-box op-box-${kind}` }, ...head, ...rest, h('div', { class: 'op-choices' }, ...choices))];
  }

  #refusedHere({ command, message, irregular }) {
    const { words } = this;
    const back = this.#button('button', words.choose_again, this.clear);
    const told = h('p', {}, ...this.naming.sentence(message));
    if (!irregular) return this.#box('refused', [], told, back);
    const stand = this.#button('button', words.let_stand, () => this.send({ ...command, irregular }));
    stand.dataset.stand = irregular;
    return this.#box('refused', [], told, stand, back);
  }

  #refusedByServer(entry) {
    const { words, outbox } = this;
    const irregular = irregularityOf(entry);
    const stand =
      irregular && this.#button('button', words.let_stand, () => outbox.retry(entry, { irregular }));
    return this.#box(
      'refused',
      this.naming.fill(words.refused_title, { entry: this.#named(entry) }),
      h('p', {}, ...this.naming.sentence(entry.problem.message)),
      ...(stand ? [stand] : []),
      ...this.#discards(entry),
    );
  }

  #stale(entry) {
    const { words, outbox } = this;
    const { missed } = entry.problem;
    return this.#box(
      'stale',
      this.naming.fill(words.stale_title, { entry: this.#named(entry) }),
      h('p', {}, words.meanwhile),
      h('ul', { class: 'op-meanwhile' }, ...missed.map((event) => h('li', {}, ...this.naming.event(event)))),
      this.#button('button button-main', words.enter_after, () => outbox.retry(entry)),
      ...this.#discards(entry),
    );
  }

  #discards(entry) {
    const { words, outbox } = this;
    const count = outbox.waiting.length;
    const one = this.#button('button', words.discard, () => outbox.discard(entry));
    if (count < 2) return [one];
    return [one, this.#button('button', phrase(words.discard_all, { count }), () => outbox.discardAll())];
  }

  #already(entry) {
    const { words, outbox } = this;
    return this.#box(
      'told',
      [],
      h('p', {}, ...this.naming.fill(words.already_there, { entry: this.#named(entry) })),
      this.#button('button', words.understood, () => outbox.understood()),
    );
  }

  #blocked() {
    const { words, outbox } = this;
    const message = outbox.blocked.message;
    return this.#box('refused', [], h('p', {}, phrase(words.blocked, { message, count: outbox.waiting.length })));
  }

  #named(entry) {
    return h('b', {}, ...this.naming.entry(entry.command));
  }
}

/** The mark with which a table may have let stand what the rules refused. */
function irregularityOf({ command, problem }) {
  if (command.irregular) return null;
  if (IRREGULAR_RULES.has(problem.rule)) return problem.rule;
  return problem.error === 'illegal_card' && problem.led ? 'revoke' : null;
}
