// The dialogs: claim, result without play, taking back, a call's explanation, boards, skipping, the menu.
//
// Each is drawn when it is opened and asks the server's view for every number it shows.

import { h, phrase } from '../dom.js';

export class Dialogs {
  /** @param {{element: HTMLDialogElement, words: object, naming: object, send: (command) => void, menu: object}} options */
  constructor(options) {
    Object.assign(this, options);
    this.element.addEventListener('click', (event) => event.target === this.element && this.close());
    this.element.addEventListener('close', () => this.element.open || this.element.replaceChildren());
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !event.target.matches('input[type="text"]')) return;
      event.preventDefault();
      this.element.querySelector('.button-main:not(:disabled)')?.click();
    });
  }

  get isOpen() {
    return this.element.open;
  }

  close() {
    this.element.close();
  }

  show(title, ...content) {
    const close = this.button('op-close', '✕', () => this.close());
    close.setAttribute('aria-label', this.words.close);
    const head = h('header', {}, h('h2', { id: 'dialog-name' }, ...[title].flat()), close);
    this.element.replaceChildren(head, h('div', { class: 'op-dialog-body' }, ...content));
    if (!this.element.open) this.element.showModal();
  }

  button(kind, label, act) {
    const button = h('button', { type: 'button', class: kind }, ...[label].flat());
    button.addEventListener('click', act);
    return button;
  }

  /** A button that enters something and closes. */
  #enter(kind, label, command) {
    return this.button(`${kind} op-wide`, label, () => {
      this.close();
      this.send(typeof command === 'function' ? command() : command);
    });
  }

  claim(view, sure) {
    const { words, naming } = this;
    const { claim, board } = view;
    if (!claim) {
      this.show(words.claim_title, h('p', {}, words.no_claim));
      return;
    }
    let seat = board.turn && !claim.seats[board.turn] ? board.turn : claim.declarer;
    let tricks = null;
    const soFar = { declarer: claim.least, defenders: 13 - claim.most, left: claim.most - claim.least };
    const who = h('div', { class: 'op-choices op-four', role: 'group', 'aria-label': words.who_claims });
    const totals = h('div', { class: 'op-totals', role: 'group', 'aria-label': words.declarer_total });
    const confirm = h('div', { class: 'op-confirm', 'aria-live': 'polite' });
    const drawWho = () =>
      who.replaceChildren(
        ...[...'NESW'].map((each) => {
          const choice = this.button('op-choice', naming.seat(each), () => {
            if (!claim.seats[each]) seat = each;
            drawWho();
            confirm.replaceChildren(...(claim.seats[each] ? [h('p', { class: 'op-warning' }, claim.seats[each])] : offer()));
          });
          choice.setAttribute('aria-pressed', String(each === seat));
          if (claim.seats[each]) choice.setAttribute('aria-disabled', 'true');
          return choice;
        }),
      );
    const offer = () => {
      if (tricks === null) return [];
      const doubt = [
        tricks < claim.certain_least && phrase(words.claim_doubt_low, { count: claim.certain_least }),
        tricks > claim.certain_most && phrase(words.claim_doubt_high, { count: claim.certain_most }),
        !sure && words.unchecked,
      ].filter(Boolean);
      const command = (accepted) => () => ({ type: 'claim', seat, tricks, accepted });
      return [
        h('p', { class: 'op-score' }, ...this.#outcome(view, tricks)),
        ...doubt.map((text) => h('p', { class: 'op-warning' }, text)),
        this.#enter('button button-main', words.record_claim, command(true)),
        this.#enter('button', words.claim_open, command(false)),
      ];
    };
    const drawTotals = () =>
      totals.replaceChildren(
        ...Array.from({ length: claim.most - claim.least + 1 }, (_, step) => claim.most - step).map((total) => {
          const choice = this.button('op-choice op-total', '', () => {
            tricks = total;
            drawTotals();
            confirm.replaceChildren(...offer());
            confirm.scrollIntoView({ block: 'nearest' });
          });
          choice.dataset.tricks = String(total);
          choice.setAttribute('aria-pressed', String(total === tricks));
          choice.append(h('b', {}, String(total)), h('span', {}, naming.result(board.contract, total)));
          choice.append(h('span', {}, phrase(words.score_ns, { score: naming.signed(view.scores[total]) })));
          return choice;
        }),
      );
    drawWho();
    drawTotals();
    this.show(
      words.claim_title,
      h('h3', {}, words.who_claims),
      who,
      h('h3', {}, words.declarer_total),
      h('p', { class: 'muted' }, phrase(words.claim_so_far, soFar)),
      totals,
      confirm,
    );
  }

  #outcome(view, tricks) {
    const { contract, declarer } = view.board;
    const score = phrase(this.words.score_ns, { score: this.naming.signed(view.scores[tricks]) });
    return [this.naming.callNode(contract), ` ${declarer} ${this.naming.result(contract, tricks)}, ${score}`];
  }

  /** A call that stands: its explanation, and the way back to it. `alerted`: it has just been alerted. */
  call(now, index, alerted = false) {
    const { words, naming } = this;
    const call = now.auction[index];
    const alert = h('input', { type: 'checkbox', id: 'call-alert' });
    alert.checked = alerted || Boolean(call.alert);
    const text = h('input', { type: 'text', id: 'call-text', maxlength: '500', autocomplete: 'off' });
    text.value = call.explanation ?? '';
    const explain = () => ({
      type: 'explain',
      call_index: index,
      alert: alert.checked,
      explanation: text.value.trim() || null,
    });
    this.show(
      naming.fill(words.call_title, { call: naming.callNode(call.call), seat: naming.seat(call.seat) }),
      call.irregular ? h('p', { class: 'op-warning' }, words.irregular[call.irregular]) : '',
      h('label', { class: 'op-check' }, alert, words.alert_button),
      h('label', { class: 'op-field' }, words.explanation, text),
      this.#enter('button button-main', words.store, explain),
      this.#enter('button', words.undo_to_here, { type: 'undo', to: { calls: index, cards: 0 } }),
    );
  }

  undo(now, isEnded) {
    const { words, naming } = this;
    const back = (calls, cards, label) =>
      this.#enter('op-row', label, { type: 'undo', to: { calls, cards } });
    const calls = now.auction.map((call, place) => back(place, 0, naming.entry({ ...call, type: 'call' })));
    const cards = now.play.map((card, place) =>
      back(now.auction.length, place, naming.entry({ ...card, type: 'card' })),
    );
    const ending = isEnded ? [back(now.auction.length, now.play.length, words.undo_ending)] : [];
    const rows = [...ending, ...cards.reverse(), ...calls.reverse()];
    this.show(
      words.undo_title,
      h('p', {}, rows.length ? words.undo_help : words.undo_none),
      h('ol', { class: 'op-list' }, ...rows.map((row) => h('li', {}, row))),
    );
  }

  /** One line of text that is asked for: a reason with some ready-made ones. */
  reason(title, help, ready, label, command) {
    const { words } = this;
    const text = h('input', { type: 'text', id: 'reason', maxlength: '200', autocomplete: 'off' });
    const enter = this.#enter('button button-main', label, () => command(text.value.trim()));
    enter.disabled = true;
    const filled = () => {
      enter.disabled = !text.value.trim();
    };
    text.addEventListener('input', filled);
    const choices = ready.map((each) =>
      this.button('op-choice', each, () => {
        text.value = each;
        filled();
      }),
    );
    this.show(
      title,
      help ? h('p', {}, help) : '',
      ...(choices.length ? [h('div', { class: 'op-choices' }, ...choices)] : []),
      h('label', { class: 'op-field' }, words.reason, text),
      enter,
    );
  }

  skip(view) {
    const { words } = this;
    const target = view.board && view.board.skipped === null ? view.board : null;
    const segment = target?.segment ?? view.next_board?.segment;
    const number = target?.number ?? view.next_board?.board;
    const ready = [words.reason_time, words.reason_later, words.reason_fouled];
    this.reason(phrase(words.skip_title, { number }), '', ready, words.skip, (reason) => ({
      type: 'skip_board',
      segment,
      board: number,
      reason,
    }));
  }

  /** Neutral time begins: nobody is thinking. */
  stopClock() {
    const { words } = this;
    const ready = [words.reason_director, words.reason_away];
    this.reason(words.stop_clock, words.stop_clock_help, ready, words.stop_clock, (reason) => ({ type: 'stop_clock', reason }));
  }

  open(board) {
    const { words } = this;
    this.reason(phrase(words.open_title, { number: board.number }), words.open_reason, [], words.open_board, (reason) => ({
      type: 'open_board',
      segment: board.segment,
      board: board.number,
      reason,
    }));
  }

  boards(view, isFree) {
    const { words, naming } = this;
    const rows = view.boards.map((board) => {
      const isNow = view.board?.segment === board.segment && view.board?.number === board.number;
      const state = board.skipped ? `${words.skipped}: ${board.skipped}` : words.phase[board.state];
      const tricks = board.tricks === null || !board.contract ? '' : naming.result(board.contract, board.tricks);
      const open = this.button('button', words.open_board, () => this.open(board));
      return h(
        'li',
        { class: 'op-board-row' },
        h('b', {}, String(board.number)),
        h('span', {}, board.contract ? naming.callNode(board.contract) : '', ` ${board.declarer ?? ''} ${tricks}`),
        h('span', { class: 'muted' }, isNow && board.state === 'in_play' ? words.now : state),
        isFree && !(isNow && !board.skipped && board.state === 'in_play') && (board.skipped || !view.keeps_order) ? open : '',
      );
    });
    this.show(words.boards_title, h('ol', { class: 'op-list' }, ...rows));
  }

  more(waiting) {
    const { words, naming, menu } = this;
    const choice = (label, act) => h('li', {}, this.button('op-row', label, act));
    const lines = [words.keys_calls, words.keys_cards, words.keys_rest];
    this.show(
      words.more,
      h(
        'ol',
        { class: 'op-list' },
        choice(words.undo_title, menu.undo),
        menu.auction ? choice(words.auction_title, menu.auction) : '',
        choice(words.result_title, menu.result),
        choice(words.boards_title, menu.boards),
        menu.keepsOrder() ? '' : choice(words.skip, menu.skip),
        menu.isStopped() ? choice(words.resume_clock, menu.resumeClock) : choice(words.stop_clock, () => this.stopClock()),
      ),
      waiting.length ? h('h3', {}, words.waiting_title) : '',
      h('ol', { class: 'op-list op-waiting' }, ...waiting.map((entry) => h('li', {}, ...naming.entry(entry.command)))),
      h('h3', {}, words.keys_title),
      ...lines.map((line) => h('p', { class: 'muted' }, line)),
      h('p', { class: 'muted' }, words.hand_over),
    );
  }
}
