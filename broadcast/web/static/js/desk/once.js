// A form that is sent is not sent again by a second tap; coming back to the page makes it usable again.

for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'true';
  });
}
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-once]')) delete form.dataset.sent;
});

document.querySelector('.effects')?.scrollIntoView({ block: 'nearest' });
