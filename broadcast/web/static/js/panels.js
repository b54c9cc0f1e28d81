// The two rooms on a narrow screen: a strip to swipe, with tabs.

/** Keeps tabs and strip together; `onShow(room)` when another room comes into view. */
export function watchTabs(onShow, first = 'open') {
  const tabs = [...document.querySelectorAll('[data-tab]')];
  const strip = document.querySelector('.rooms');
  const show = (room) => {
    for (const tab of tabs) {
      if (tab.dataset.tab === room) tab.setAttribute('aria-current', 'true');
      else tab.removeAttribute('aria-current');
    }
    onShow(room);
  };
  const go = (room) => {
    strip.scrollTo({ left: room === 'open' ? 0 : strip.scrollWidth });
    show(room);
  };
  for (const tab of tabs) {
    tab.addEventListener('click', (event) => {
      event.preventDefault(); // the address keeps no room, and the page does not jump
      go(tab.dataset.tab);
    });
  }
  const isStrip = () => strip.scrollWidth > strip.clientWidth + 1;
  strip.addEventListener('scroll', () => isStrip() && show(strip.scrollLeft > strip.clientWidth / 2 ? 'closed' : 'open'), {
    passive: true,
  });
  if (first === 'closed') go(first);
}
