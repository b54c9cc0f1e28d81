// Keeps the draft of a match while it is typed: after a pause the whole form goes to the server, as its button
// would send it. Files go with the buttons only.

const form = document.querySelector('form[data-draft]');
const told = form.querySelector('[data-part=saved]');
const PAUSE_MS = 700;
let waiting = null;
let sending = Promise.resolve();

function fields() {
  const all = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') all.append(name, value);
  all.set('action', 'save');
  return all;
}

async function keep() {
  told.textContent = told.dataset.saving;
  try {
    // Buttons are named `action`, so the form's own attribute has to be asked for.
    // Only the first answer is followed: it leads to the address that the draft has from then on.
    const redirect = form.dataset.draft ? 'manual' : 'follow';
    const answer = await fetch(form.getAttribute('action'), { method: 'POST', body: fields(), redirect });
    if (!answer.ok && answer.type !== 'opaqueredirect') throw new Error(String(answer.status));
    if (!form.dataset.draft) {
      const address = new URL(answer.url).pathname + location.search;
      form.setAttribute('action', address);
      form.dataset.draft = 'kept';
      history.replaceState(null, '', address);
    }
    told.textContent = told.dataset.kept;
  } catch {
    told.textContent = told.dataset.lost;
  }
}

function later() {
  clearTimeout(waiting);
  told.textContent = told.dataset.saving; // from the first key on: what is in the form is not kept yet
  waiting = setTimeout(() => { sending = sending.then(keep); }, PAUSE_MS);
}

form.addEventListener('input', later);
form.addEventListener('submit', () => clearTimeout(waiting));

// A team of the club brings its players into the line-ups: the page is made anew with them.
for (const choice of form.querySelectorAll('select[name$=_team], select[name$=_ns_open]')) {
  choice.addEventListener('change', () => {
    clearTimeout(waiting);
    form.requestSubmit(form.querySelector('button[value=save]'));
  });
}
form.querySelector('input[type=file]').addEventListener('change', () => {
  clearTimeout(waiting);
  form.requestSubmit(form.querySelector('button[value=save]'));
});
