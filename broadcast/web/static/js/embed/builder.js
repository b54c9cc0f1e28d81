// The page that writes the line: asks for itself anew at every change, and copies.

import { part } from '../dom.js';

const form = part(document, 'form');
let round = 0;

async function renew() {
  const mine = ++round;
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) asked.set(name, value);
  const url = new URL(location.href);
  url.search = asked;
  const answer = await fetch(url).catch(() => null);
  if (!answer?.ok || mine !== round) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  history.replaceState(null, '', url);
  const focused = document.activeElement?.name;
  const preview = part(fresh, 'made').querySelector('iframe').getAttribute('src');
  const shown = part(document, 'made').querySelector('iframe');
  if (shown.getAttribute('src') !== preview) part(document, 'made').replaceWith(part(fresh, 'made'));
  form.replaceChildren(...part(fresh, 'form').childNodes);
  if (focused) form.elements[focused]?.focus();
  begin();
}

async function copy(button) {
  const text = button.parentElement.querySelector('textarea');
  text.select();
  try {
    await navigator.clipboard.writeText(text.value);
  } catch {
    document.execCommand('copy'); // a page without TLS has no clipboard
  }
  const name = button.textContent;
  button.textContent = button.dataset.done;
  setTimeout(() => (button.textContent = name), 2_000);
}

function begin() {
  part(document, 'submit').hidden = true;
  for (const button of document.querySelectorAll('[data-copy]')) button.hidden = false;
}

form.addEventListener('change', ({ target }) => {
  if (target.name === 'address') for (const name of ['board', 'show']) if (form.elements[name]) form.elements[name].value = '';
  if (form.reportValidity()) renew();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (form.reportValidity()) renew();
});
document.addEventListener('click', ({ target }) => target.closest?.('[data-copy]') && copy(target.closest('[data-copy]')));
begin();
