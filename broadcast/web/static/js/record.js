// Puts the text of a chosen file into the form, which works without: then it is pasted.

const choose = document.querySelector('[data-part=choose]');
const text = document.querySelector('textarea:not([hidden])');
choose.hidden = false;
choose.querySelector('input').addEventListener('change', async ({ target }) => {
  const [file] = target.files;
  if (file) text.value = await read(file);
});

/** UTF-8, else what old clients wrote on Windows. */
async function read(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
