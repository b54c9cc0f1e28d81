// The reader's choice of light or dark. Without a choice the system decides and nothing is stored. Ways to watch that
// the browser keeps (ways.js) are put on the page here too, unless the address has chosen.
// A plain script, loaded before the page is painted, so that a dark page never flashes white.
(() => {
  const root = document.documentElement;
  const stored = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // storage is closed to us, as in a private window
    }
  };
  const show = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  show(stored('theme'));

  for (const [name, values] of Object.entries({ seat: 'NESW', hands: ['played'], colours: '2' })) {
    const chosen = root.dataset[name] ? null : stored(name);
    if (chosen && values.includes(chosen)) root.dataset[name] = chosen;
  }

  document.addEventListener('DOMContentLoaded', () => {
    const button = document.querySelector('[data-theme-switch]');
    if (!button) return;
    button.hidden = false;
    button.addEventListener('click', () => {
      const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
      const theme = (root.dataset.theme || system) === 'dark' ? 'light' : 'dark';
      show(theme);
      try {
        // Back at what the system says, there is nothing to remember.
        if (theme === system) localStorage.removeItem('theme');
        else localStorage.setItem('theme', theme);
      } catch {
        // The choice then lasts as long as the page.
      }
    });
  });
  addEventListener('storage', (event) => event.key === 'theme' && show(event.newValue));
})();
