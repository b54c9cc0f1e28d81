// Matches, teams and ladders that the reader follows: a list in the browser and nowhere else. The first page puts them
// first. Each is written `match/m7k2`, `team/t1`, `ladder/l1`.

/** A list kept in the browser; nothing is stored while it is empty. */
export class KeptList {
  constructor(name) {
    this.name = name;
  }

  read() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.name) ?? '[]');
      return new Set(Array.isArray(kept) ? kept : []);
    } catch {
      return new Set(); // storage is closed to us, or holds something else
    }
  }

  has(thing) {
    return this.read().has(thing);
  }

  toggle(thing) {
    const kept = this.read();
    if (!kept.delete(thing)) kept.add(thing);
    try {
      if (kept.size) localStorage.setItem(this.name, JSON.stringify([...kept]));
      else localStorage.removeItem(this.name);
    } catch {
      // The choice then is not kept.
    }
    return kept.has(thing);
  }
}

export const followed = new KeptList('followed');

/** Puts what is followed first in each list below `root`, in the order it had. */
export function putFollowedFirst(root) {
  const kept = followed.read();
  const lists = new Set([...root.querySelectorAll('[data-follows]')].map((entry) => entry.parentElement));
  for (const list of lists) {
    const entries = [...list.children].filter((entry) => entry.dataset.follows);
    const isMine = (entry) => entry.dataset.follows.split(' ').some((thing) => kept.has(thing));
    for (const entry of entries) entry.classList.toggle('is-followed', isMine(entry));
    const ordered = [...entries.filter(isMine), ...entries.filter((entry) => !isMine(entry))];
    if (ordered.every((entry, place) => entry === entries[place])) continue;
    const anchor = document.createComment('');
    entries[0].before(anchor);
    anchor.replaceWith(...ordered);
  }
}

function showStars() {
  for (const star of document.querySelectorAll('[data-follow]')) {
    star.hidden = false;
    star.setAttribute('aria-pressed', String(followed.has(star.dataset.follow)));
  }
}

document.addEventListener('click', (event) => {
  const star = event.target.closest('[data-follow]');
  if (!star) return;
  followed.toggle(star.dataset.follow);
  showStars();
});
addEventListener('storage', (event) => event.key === followed.name && showStars());
showStars();
