// Notices of the browser for a match: at its start, at a swing of ten IMPs or more, at its end. Asked for by a press,
// never by themselves; none to who is spared results, as each would tell one.

import { KeptList } from './follow.js';
import { isolated, phrase } from './dom.js';
import { signed } from './view.js';

const LARGE = 10;
const wanted = new KeptList('notified');

/** What an event is worth a notice for, or null. `before` and `after` are the states around it. Pure. */
export function noticeFor(event, before, after, words) {
  if (before.status === 'upcoming' && after.status === 'live') return words.notice_start;
  if (before.status === 'live' && after.status !== 'live' && after.totals) {
    const { home, visitors } = after.totals.imps;
    return phrase(words.notice_end, { home: signed(home), visitors: signed(visitors) });
  }
  if (event.name !== 'comparison' || Math.abs(event.data.imps_home ?? 0) < LARGE) return null;
  const isIt = (board) => board.segment === event.data.segment && board.number === event.data.board;
  if (before.boards?.find(isIt)?.imps_home === event.data.imps_home) return null;
  const side = event.data.imps_home > 0 ? 'home' : 'visitors';
  return phrase(words.say_comparison, { number: event.data.board, team: after[side].name, imps: signed(Math.abs(event.data.imps_home)) });
}

export class Notices {
  #button = document.querySelector('[data-notify]');

  constructor(words) {
    this.words = words;
    if (!this.#button || !('Notification' in globalThis)) return;
    this.#button.hidden = false;
    this.#button.addEventListener('click', () => this.#toggle());
    this.#show();
  }

  /** Whether this match is to be told of: a hidden page then looks now and then. */
  get areWanted() {
    const thing = this.#button?.dataset.notify;
    return Boolean(thing && 'Notification' in globalThis && Notification.permission === 'granted' && wanted.has(thing));
  }

  tell(event, before, after) {
    if (!this.areWanted || (document.hasFocus() && !document.hidden)) return;
    const body = noticeFor(event, before, after, this.words);
    if (!body) return;
    try {
      const notice = new Notification(`${isolated(after.home.name)} – ${isolated(after.visitors.name)}`, { body, tag: `${after.id} ${body}` });
      notice.onclick = () => window.focus();
    } catch {
      // Some phones let only an installed application show notices.
    }
  }

  async #toggle() {
    const { notify } = this.#button.dataset;
    if (wanted.has(notify)) wanted.toggle(notify);
    else if ((await Notification.requestPermission()) === 'granted') wanted.toggle(notify);
    this.#show();
  }

  #show() {
    this.#button.setAttribute('aria-pressed', String(this.areWanted));
  }
}
