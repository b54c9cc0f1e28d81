// Keeps the page of results to check up to date: asks for it anew while it is looked at and nothing is being typed.

const PAUSE = 8_000;

async function renew() {
  const shown = document.querySelector('[data-part=checks]');
  if (document.hidden || shown.querySelector('details[open]')) return;
  const address = new URL(location.href);
  address.searchParams.delete('done');
  const answer = await fetch(address, { headers: { Accept: 'text/html' } }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.querySelector('[data-part=checks]');
  if (!fresh || shown.querySelector('details[open]') || listed(fresh) === listed(shown)) return;
  const focused = shown.contains(document.activeElement) ? document.activeElement.closest('li')?.id : null;
  shown.replaceWith(fresh);
  if (focused) document.getElementById(focused)?.querySelector('button')?.focus();
}

/** What is to be checked, without the keys of the forms, which differ each time. */
function listed(section) {
  return [...section.querySelectorAll('.check')].map((item) => item.id + item.textContent.replace(/\s+/g, ' ')).join('\n');
}

setInterval(renew, PAUSE);
document.addEventListener('visibilitychange', renew);
