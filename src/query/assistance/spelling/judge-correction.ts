/**
 * Decides if a user meant the query as typed or its correction, from the results of both.
 *
 * A query whose words are all common, and whose first results have all of them, is not corrected; for such a query
 * no second search is made. Otherwise the results decide. A correction is better if its first results have a larger
 * share of its words than the first results of the typed query have of the typed words: "acetone boil" is not
 * corrected to "acetone bool", because no document has both of these words. A correction is also better if the typed
 * words are so much rarer than the corrected words that pages with them are probably misspelled. Authors check their
 * headings, so a word in a heading is not an error: "nmu" stays, although "num" is a hundred times as common.
 */
import type { QueryEvidence } from '../../searcher.ts';
import type { Correction } from './correct-query.ts';

/** A word that fewer documents than this contain is rare: it may be a typing error in those documents. */
const RARE_DOCS = 5;
/** In a large index, a word is also rare if fewer than one in RARE_SHARE documents contain it. */
const RARE_SHARE = 5000;
/**
 * A typed word that is in some documents still counts as an error if the corrected word is in at least this many
 * times as many documents.
 */
const ERROR_RATIO = 100;
/**
 * The coverage from which a result counts as having all words of the query. It is a little below 1 because of
 * rounding.
 */
const COMPLETE = 0.999;
/**
 * A correction is offered only if its coverage exceeds the coverage of the typed query by at least this number.
 */
const LEAST_GAIN = 0.05;
/** Results with a coverage below this share have too few words of the query to be about its topic. */
const POOR = 0.5;
/** If the headings of a result have at least this share of the query, its words count as correct. */
const IN_HEADINGS = 0.5;

/** Returns false if all words of a query are certainly correct, so that no correction is tried. */
export function mayBeMisspelled({ words, coverage, docCount }: QueryEvidence): boolean {
  const rare = Math.max(RARE_DOCS, docCount / RARE_SHARE);
  return coverage < COMPLETE || words.some((word) => word.docCount < rare);
}

/**
 * Returns true if the query was almost certainly misspelled, so that the results of the corrected query are shown at
 * once.
 */
export function isMuchBetter(
  { changes }: Correction,
  typed: QueryEvidence,
  corrected: QueryEvidence,
): boolean {
  if (typed.coverage < POOR && corrected.coverage >= COMPLETE) return true;
  if (typed.coverage >= COMPLETE && typed.inHeadings >= IN_HEADINGS) return false;
  const isRarer = changes.every((change) => {
    const before = docCountOf(typed, change.typed);
    return before === 0 || before * ERROR_RATIO <= docCountOf(corrected, change.meant);
  });
  return isRarer && isBetter(typed, corrected);
}

/** Returns true if the corrected query is good enough to be offered to the visitor. */
export function isBetter(typed: QueryEvidence, corrected: QueryEvidence): boolean {
  return corrected.coverage >= COMPLETE || corrected.coverage >= typed.coverage + LEAST_GAIN;
}

function docCountOf({ words }: QueryEvidence, word: string): number {
  return words.find(({ typed }) => typed.includes(word))?.docCount ?? 0;
}
