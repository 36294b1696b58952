/**
 * Numbers the forms of a term: the words that documents use for it. The form that most documents have is number
 * 0, because small numbers take the least space in the positions. The numbers depend only on the documents, not
 * on the order in which they were added and merged.
 *
 * A term has at most 256 form numbers. If there are more forms, the rarest share the last number, and its name
 * is the empty string.
 */
export const MAX_FORMS = 256;
/** The empty string: the name of the form number that the rarest forms share. */
const REST = '';

interface OrderedForms {
  /** The forms in the order of their form numbers. Null if the only form of the term is the term itself. */
  names: readonly string[] | null;
  /** The form number of each form, in the order of the argument `given`. */
  numbers: Uint8Array;
}

/**
 * Numbers the forms `given`, the most frequent first. `docCounts` has, for each form, the number of documents
 * that contain it. Forms without documents are left out.
 */
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

/**
 * Returns the sort rank of a form: the form with the empty name, which stands for all rarer forms, comes last.
 */
function rank(names: readonly string[], form: number): number {
  return names[form] === REST ? 1 : 0;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
