/**
 * Decides from the results of a query and of its correction whether a person meant the query as typed or the
 * correction.
 *
 * A query whose words are all common, and whose first results have all of them, is not corrected, so that correction
 * costs nothing for it. Otherwise the documents decide. A correction is better if its first results have more of its
 * words than those of the typed query have of theirs: "acetone boil" is not corrected to "acetone bool", because no
 * document has both of these words. It is also better if the typed words are so much rarer than the corrected ones
 * that they are errors on some page. Authors check their headings, so a word in a heading is not an error: "nmu" stays,
 * although "num" is a hundred times as common.
 */
import type { QueryEvidence } from '../../searcher.ts';
import type { Correction } from './correct-query.ts';

/** A word in fewer documents than this is rare: it may be misspelled in those documents, too. */
const RARE_DOCS = 5;
/** In an index of many documents, a word is also rare if it is in fewer than one in RARE_SHARE documents. */
const RARE_SHARE = 5000;
/**
 * A typed word is taken for an error of some page if the corrected word is in at least this many times as many
 * documents.
 */
const ERROR_RATIO = 100;
/** A result with all words of the query has a coverage of 1. The bound is lower because of rounding. */
const COMPLETE = 0.999;
/** A correction is offered if its coverage is higher than that of the typed query by at least this much. */
const LEAST_GAIN = 0.05;
/** Results with a lower coverage than this miss the topic of the query. */
const POOR = 0.5;
/** The words of a query are taken for correct if the headings of a result have at least this share of the query. */
const IN_HEADINGS = 0.5;

/** Returns false if the words of a query are certainly meant as typed. */
export function mayBeMisspelled({ words, coverage, docCount }: QueryEvidence): boolean {
  const rare = Math.max(RARE_DOCS, docCount / RARE_SHARE);
  return coverage < COMPLETE || words.some((word) => word.docCount < rare);
}

/** Returns true if the corrected query was meant beyond doubt, and its results may be shown at once. */
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

/** Returns true if the corrected query is worth offering. */
export function isBetter(typed: QueryEvidence, corrected: QueryEvidence): boolean {
  return corrected.coverage >= COMPLETE || corrected.coverage >= typed.coverage + LEAST_GAIN;
}

function docCountOf({ words }: QueryEvidence, word: string): number {
  return words.find(({ typed }) => typed.includes(word))?.docCount ?? 0;
}
