/**
 * The forms of a term and their numbers: the form that most documents have is 0, so that it costs nearly nothing where
 * it is written. Equal documents give equal numbers, in whatever order they came and were merged.
 *
 * A term may have up to 256 forms; rarer ones share the last number, which then has the empty name.
 */
export const MAX_FORMS = 256;
/** The name of what is left when there are too many. */
export const REST = '';

/** The names of a term's forms by number; null if it is its own only form. Forms without documents are left out. */
export function orderForms(term: string, docCounts: ReadonlyMap<string, number>): string[] | null {
  const live = [...docCounts].filter(([name, count]) => count > 0 && name !== REST);
  const names = live.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name);
  const hasRest = (docCounts.get(REST) ?? 0) > 0 || names.length > MAX_FORMS;
  if (hasRest) return [...names.slice(0, MAX_FORMS - 1), REST];
  return names.length === 1 && names[0] === term ? null : names;
}

/** For each of the old names, its number under the new ones. */
export function renumber(old: readonly string[], names: readonly string[] | null): Uint32Array {
  if (names === null) return new Uint32Array(old.length);
  const numbers = new Map(names.map((name, number) => [name, number]));
  return Uint32Array.from(old, (name) => numbers.get(name) ?? names.length - 1);
}
