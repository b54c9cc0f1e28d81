// The captain's page takes the time zone of the browser the first time; a choice of the captain's own stays.

const unknown = document.querySelector('[data-part="zone-unknown"]');
if (unknown) {
  const form = unknown.querySelector('form');
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const choice = [...form.elements.time_zone.options].find((option) => option.value === here);
  if (choice) {
    const body = new URLSearchParams({ time_zone: here });
    const answer = await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
    if (answer.type === 'opaqueredirect') {
      location.reload();
    }
  }
}

for (const field of document.querySelectorAll('input[readonly]')) {
  field.addEventListener('focus', () => field.select());
}
