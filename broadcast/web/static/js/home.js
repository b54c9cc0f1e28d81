// Lets the score cards of the live matches tick. Scores change every few minutes, so asking now and then is enough
// and costs the browser none of its few stream connections.

import { part, phrase, setText } from './dom.js';
import { keptQuery } from './scoreboard.js';
import { signed } from './view.js';

const EVERY = 20_000;

function draw(card, match) {
  const { totals } = match;
  if (!totals) return;
  for (const side of ['home', 'visitors']) {
    const element = part(card, `imps-${side}`);
    const text = signed(totals.imps[side]);
    if (element.textContent === text) continue;
    element.textContent = text;
    element.classList.remove('is-fresh');
    void element.offsetWidth; // lets the highlight run again
    element.classList.add('is-fresh');
  }
  if (totals.vps) {
    const [home, visitors] = part(card, 'vps').querySelectorAll('b');
    setText(home, totals.vps.home.toFixed(2));
    setText(visitors, totals.vps.visitors.toFixed(2));
  }
  const pattern = card.closest('[data-after]')?.dataset.after;
  if (pattern) setText(part(card, 'after'), phrase(pattern, { compared: totals.boards_compared, total: totals.boards_total }));
}

async function refresh() {
  if (document.hidden) return;
  const answer = await fetch(`/api/matches?status=live&${keptQuery()}`).catch(() => null);
  if (!answer?.ok) return;
  const { matches } = await answer.json();
  const cards = new Map([...document.querySelectorAll('[data-match]')].map((card) => [card.dataset.match, card]));
  for (const match of matches) if (cards.has(match.id)) draw(cards.get(match.id), match);
}

setInterval(refresh, EVERY);
document.addEventListener('visibilitychange', refresh);
