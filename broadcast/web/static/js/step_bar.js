// The stepping bar of a room: buttons, the play button and the slider over the record of the board.

import { part, phrase, setText } from './dom.js';

/** The place of a position on the slider: so many calls, then so many cards. Pure. */
export function placeOf({ calls, cards }) {
  return calls + cards;
}

export function positionAt(place, recorded) {
  const calls = Math.min(place, recorded.calls);
  return { calls, cards: Math.max(0, Math.min(place - recorded.calls, recorded.cards)) };
}

/**
 * @param {{calls: number, cards: number}} shown position on the table
 * @param {{calls: number, cards: number}} recorded of the board
 * @param {{back: boolean, on: boolean, play: boolean, playing: boolean}} can which steps lead somewhere
 */
export function drawStepBar(steps, shown, recorded, can, words) {
  steps.querySelector('.step-buttons').hidden = false;
  const enable = (name, enabled) => steps.querySelector(`[data-step="${name}"]`).setAttribute('aria-disabled', String(!enabled));
  enable('first', can.back);
  enable('back', can.back);
  enable('forward', can.on);
  enable('last', can.on);
  const play = steps.querySelector('[data-step="play"]');
  play.hidden = false;
  enable('play', can.play);
  play.classList.toggle('is-playing', can.playing);
  play.setAttribute('aria-label', can.playing ? words.pause : words.play);
  const slider = part(steps, 'slider');
  slider.hidden = false;
  slider.max = placeOf(recorded);
  slider.disabled = placeOf(recorded) === 0;
  slider.value = placeOf(shown);
  slider.setAttribute('aria-valuetext', phrase(words.position, shown));
}

/** Shows what the reader does to a bar: `onStep(name)`, and `onSlide(place, isFirst)` while the slider is moved. */
export function watchStepBar(root, onStep, onSlide) {
  root.addEventListener('click', (event) => {
    const button = event.target.closest('[data-step]');
    if (!button || event.ctrlKey || event.metaKey) return;
    event.preventDefault(); // the board page's are links, for browsers without scripts
    if (button.getAttribute('aria-disabled') !== 'true') onStep(button.dataset.step);
  });
  let sliding = false;
  root.addEventListener('input', (event) => {
    if (event.target.dataset.part !== 'slider') return;
    onSlide(Number(event.target.value), !sliding);
    sliding = true;
  });
  root.addEventListener('change', () => (sliding = false));
}

export function setMode(steps, text) {
  setText(part(steps, 'mode'), text);
}
