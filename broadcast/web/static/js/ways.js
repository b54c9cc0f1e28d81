// Ways to watch: one seat's view, played cards only, two colours. A choice is an attribute of the page's root, from
// which the styles cover hands; it stands in the address, so that the page can be passed on as it is seen, and, only
// while it is set, in the browser for the next page. The attributes are there before the page is painted: the server
// takes them from the address, theme.js from the browser.

import { part } from './dom.js';

const NAMES = ['seat', 'hands', 'colours'];

/** What the links of a page keep: language, hidden results and the ways to watch that its address chose. */
export function keptQuery() {
  const here = new URLSearchParams(location.search);
  const kept = new URLSearchParams();
  for (const name of ['lang', 'results', ...NAMES]) if (here.has(name)) kept.set(name, here.get(name));
  return kept.toString();
}

function remember(name, value) {
  try {
    if (value) localStorage.setItem(name, value);
    else localStorage.removeItem(name);
  } catch {
    // Storage is closed to us; the choice then lives in the address alone.
  }
}

function choose(name, value) {
  const { dataset } = document.documentElement;
  if (value) dataset[name] = value;
  else delete dataset[name];
  remember(name, value);
  const url = new URL(location.href);
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  history.replaceState(history.state, '', url);
}

/** Shows what is chosen in the form, as the browser may have filled in something older. */
function show(form) {
  const { dataset } = document.documentElement;
  form.elements.seat.value = dataset.seat ?? '';
  form.elements.hands.checked = dataset.hands === 'played';
  form.elements.colours.value = dataset.colours ?? '';
}

function watchForm(form) {
  part(form, 'ways-submit').hidden = true;
  show(form);
  addEventListener('pageshow', () => show(form));
  form.addEventListener('change', ({ target }) => {
    if (NAMES.includes(target.name)) choose(target.name, target.type === 'checkbox' && !target.checked ? '' : target.value);
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  const disclosure = form.closest('details');
  disclosure.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !disclosure.open) return;
    disclosure.open = false;
    disclosure.querySelector('summary').focus();
  });
}

const form = part(document, 'ways')?.querySelector('form');
if (form) watchForm(form);
