// Matches whose boards are released whole can still be watched as they were played: a board's resource says when each
// call was made and each card played, and the board then unfolds at that pace.

const SHORTEST = 150;
const LONGEST = 60_000; // a long thought, or a break, is cut to a minute

/**
 * Milliseconds from a position of a room's record to the next call or card, as it was at the table; null where that is
 * not known for the whole record, or it was typed in afterwards at one moment. Pure.
 */
export function paceOf(member, recorded) {
  const { calls = [], cards = [] } = member?.pace ?? {};
  const moments = [...calls, ...cards];
  if (calls.length !== recorded.calls || cards.length !== recorded.cards || !moments.at(-1)) return null;
  return ({ calls: made, cards: played }) => {
    const place = made < recorded.calls ? made : recorded.calls + played;
    const seconds = moments[place] - (moments[place - 1] ?? 0);
    return Math.max(SHORTEST, Math.min(LONGEST, 1_000 * seconds || 0));
  };
}
