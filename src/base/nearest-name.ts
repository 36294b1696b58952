/**
 * Finds the name that a mistyped name was probably meant to be, for "did you mean" in error messages.
 *
 * Two names are near if one becomes the other by at most two edits and by at most one edit for each three letters.
 * An edit inserts, deletes or replaces a letter, or swaps two neighbours (optimal string alignment distance).
 */

/**
 * Returns the known name that is nearest to `typed`, the first name if several are equally near; null if no
 * name is near.
 */
export function nearestName(typed: string, known: Iterable<string>): string | null {
  const limit = Math.min(2, Math.ceil(typed.length / 3));
  let nearest: string | null = null;
  let least = limit + 1;
  for (const name of known) {
    if (Math.abs(name.length - typed.length) > limit) continue;
    const distance = countEdits(typed.toLowerCase(), name.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

function countEdits(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isEqual = from[row - 1] === to[column - 1];
      let edits = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (isEqual ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) edits = Math.min(edits, beforeLast[column - 2]! + 1);
      current.push(edits);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}
