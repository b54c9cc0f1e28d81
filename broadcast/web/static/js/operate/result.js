// Result without play: contract, declarer and tricks, with what they score before anything is recorded.

import { h, phrase } from '../dom.js';

/** Opens the form. `score` asks the server and answers points for North-South, or null while it cannot be reached. */
export function resultDialog(dialogs, view, score) {
  const { words, naming } = dialogs;
  const { board } = view;
  const known = board.contract && board.contract !== 'Pass' ? board.contract : null;
  const fields = {
    level: choice('1234567', known?.[0] ?? '1'),
    denomination: choice(['C', 'D', 'H', 'S', 'NT'], known ? known.slice(1).replace(/X+$/, '') : 'NT', (code) =>
      code === 'NT' ? 'NT' : words.suit[code],
    ),
    doubled: choice(['', 'X', 'XX'], known ? (/X*$/.exec(known)?.[0] ?? '') : '', (code) => code || words.undoubled),
    declarer: choice('NESW', board.declarer ?? 'S', (code) => naming.seat(code)),
    tricks: choice(Array.from({ length: 14 }, (_, tricks) => String(tricks)), String(board.tricks ?? Number(known?.[0] ?? 1) + 6)),
  };
  const outcome = h('p', { class: 'op-score', 'aria-live': 'polite' });
  const command = () => ({
    type: 'result',
    contract: fields.level.value + fields.denomination.value + fields.doubled.value,
    declarer: fields.declarer.value,
    tricks: Number(fields.tricks.value),
  });
  const enter = (kind, label, what) =>
    dialogs.button(`${kind} op-wide`, label, () => {
      dialogs.close();
      dialogs.send(what());
    });

  let asked = 0;
  async function show() {
    const turn = ++asked;
    const { contract, declarer, tricks } = command();
    const points = await score({ board: `${board.segment}.${board.number}`, contract, declarer, tricks });
    if (turn !== asked) return;
    const told = points === null ? words.score_unknown : phrase(words.score_ns, { score: naming.signed(points) });
    outcome.replaceChildren(naming.callNode(contract), ` ${declarer} ${naming.result(contract, tricks)}, ${told}`);
  }
  for (const field of Object.values(fields)) field.addEventListener('change', show);
  fields.level.addEventListener('change', () => {
    fields.tricks.value = String(Number(fields.level.value) + 6);
    show();
  });

  dialogs.show(
    words.result_title,
    h('p', {}, words.result_help),
    h(
      'div',
      { class: 'op-fields' },
      ...Object.entries(fields).map(([name, field]) => h('label', { class: 'op-field' }, words[name], field)),
    ),
    outcome,
    enter('button button-main', words.record_result, command),
    enter('button', words.passed_out, () => ({ type: 'result', passed_out: true })),
  );
  show();
}

function choice(codes, chosen, name = (code) => code) {
  const select = h('select', {}, ...[...codes].map((code) => h('option', { value: code }, name(code))));
  select.value = chosen;
  return select;
}
