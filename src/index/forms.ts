/**
 * The forms of a term and their numbers: the form that most documents have is 0, so that it costs nearly nothing where
 * it is written. Equal documents give equal numbers, in whatever order they came and were merged.
 *
 * A term may have up to 256 forms; rarer ones share the last number, which then has the empty name.
 */
export const MAX_FORMS = 256;
/** The name of what is left when there are too many. */
export const REST = '';

/** Forms as they are to be written. */
export interface OrderedForms {
  /** By number; null if the term is its own only form. */
  names: readonly string[] | null;
  /** For each form that was given, its number. */
  numbers: Uint8Array;
}

/** Numbers forms, which are given by name with how many documents have each. Those without documents are left out. */
export function orderForms(
  term: string,
  given: readonly string[],
  docCounts: ArrayLike<number>,
): OrderedForms {
  const order = [...given.keys()]
    .filter((form) => docCounts[form]! > 0)
    .sort(
      (a, b) =>
        rank(given, a) - rank(given, b) || docCounts[b]! - docCounts[a]! || compare(given[a]!, given[b]!),
    );
  const numbers = new Uint8Array(given.length);
  for (const [number, form] of order.entries()) numbers[form] = Math.min(number, MAX_FORMS - 1);
  const names = order.slice(0, MAX_FORMS).map((form) => given[form]!);
  if (order.length > MAX_FORMS) names[MAX_FORMS - 1] = REST;
  return { names: names.length === 1 && names[0] === term ? null : names, numbers };
}

/** What has no name comes last. */
function rank(names: readonly string[], form: number): number {
  return names[form] === REST ? 1 : 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
