// What is at stake: for the board that is final in one room and open in the other, the IMPs of each likely result.
// It patches the markup of templates/vugraph/_worth.html.

import { callNode, h, phrase, redraw } from './dom.js';
import { boardKey, resultOf, signed } from './view.js';

/** The later board when each room waits for the other. */
export function drawWorth(root, state, words, isShown) {
  root.hidden = !isShown;
  const board = (state.boards ?? []).findLast((each) => each.worth);
  if (!board) {
    redraw(root, null, () => [
      h('p', { class: 'worth-name' }, h('b', {}, words.at_stake)),
      h('p', { class: 'worth-none' }, words.worth_none),
    ]);
    return;
  }
  const { room, outcomes } = board.worth;
  redraw(root, [boardKey(board), room, outcomes], () => [
    h(
      'p',
      { class: 'worth-name' },
      h('b', {}, phrase(words.at_stake_board, { number: board.number })),
      ' ',
      h('span', {}, words.at_stake_if[room]),
    ),
    h('ul', {}, ...outcomes.toReversed().map((outcome) => outcomeNode(outcome, state, words))),
  ]);
}

function outcomeNode({ contract, declarer, tricks, imps_home: imps }, state, words) {
  const side = imps > 0 ? 'home' : imps < 0 ? 'visitors' : 'level';
  const result =
    contract === 'Pass'
      ? [words.passed_out]
      : [callNode(contract, words), ' ', h('span', { class: 'declarer' }, declarer), ' ', h('b', {}, resultOf(contract, tricks))];
  const gain = imps
    ? [h('b', {}, `+${signed(Math.abs(imps))}`), ' ', h('span', { class: 'worth-team' }, state[side].name)]
    : [h('span', { class: 'worth-team' }, words.worth_level)];
  return h('li', { class: side }, h('span', {}, ...result), ' ', h('span', { class: 'worth-gain' }, ...gain));
}
