/**
 * Query expansion by pseudo-relevance feedback: terms of the best documents are added to the query.
 *
 * A query in a sentence uses only some of the words for its topic. Most of the documents found first are
 * about that topic, and the words that several of them share are other words for it. Each candidate gets a
 * further score for these words. The idea is that of Rocchio and of relevance models, limited to the
 * candidates: there is no second search, so expansion changes the order of the candidates but never adds
 * documents that do not match the query.
 *
 * A short query names one thing precisely, and expansion would blur it; see `minWords` of a profile.
 */

import { FREQUENCY_UNIT } from '../../index/mod.ts';
import { inverseDocumentFrequency, lengthNorm } from '../../scoring/mod.ts';
import { ALL_STEMMINGS } from '../../text/mod.ts';
import { reading } from '../errors.ts';
import type { Match } from '../matching/mod.ts';
import { asTerms, liveFrequency, lookUp } from '../terms/mod.ts';
import { frequenciesOf } from './position-lookup.ts';
import { lookupContextOf, type SecondStage } from './rerank.ts';
import { sharedWords } from './shared-words.ts';

interface LentWord {
  term: string;
  /** The shares of all expansion terms sum to 1. */
  share: number;
}

/** An expansion term must be in at least this many of the best documents. */
const MIN_DOCUMENTS = 2;
/** Only this many words, the most shared ones, are looked up in the dictionary. */
const LOOKED_UP = 100;
/** Words that are in a greater share of all documents are too common to be useful. */
const MAX_DOCUMENT_SHARE = 0.25;

/**
 * Returns the expansion terms; empty if the profile has no feedback or the query is too short. `candidates`
 * are ordered best first.
 */
export function lentWords(stage: SecondStage, candidates: readonly Match[]): LentWord[] {
  const { feedback } = stage.profile;
  const telling = stage.statistics.isFunction.filter((isFunction) => !isFunction).length;
  if (!feedback || telling < feedback.minWords) return [];
  const best = candidates.slice(0, feedback.documents);
  const weighed = sharedWords(best, Math.min(MIN_DOCUMENTS, best.length), LOOKED_UP)
    .map(({ term, value }) => ({ term, value: value * rarityOf(term, stage) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || (a.term < b.term ? -1 : 1))
    .slice(0, feedback.words);
  const total = weighed.reduce((sum, { value }) => sum + value, 0);
  return weighed.map(({ term, value }) => ({ term, share: value / total }));
}

/**
 * Returns the IDF of a term, or 0 for a term that is in fewer than MIN_DOCUMENTS documents or in too many.
 * Only live documents count; see statistics.ts. Counting them scans the postings, which is skipped if the
 * term is too common even when all deleted documents are subtracted.
 */
function rarityOf(term: string, { searched, statistics }: SecondStage): number {
  const { docCount } = statistics;
  const most = Math.max(3, docCount * MAX_DOCUMENT_SHARE);
  const found = searched.map(({ segment }) => ({
    segment,
    entry: reading(segment, () => segment.reader.findTerm(term)),
  }));
  const least = sumOf(found, ({ segment, entry }) =>
    Math.max(0, (entry?.docCount ?? 0) - segment.deletes.size),
  );
  if (least > most) return 0;
  const frequency = sumOf(found, ({ segment, entry }) => liveFrequency(segment, entry, ALL_STEMMINGS));
  return frequency >= MIN_DOCUMENTS && frequency <= most ? inverseDocumentFrequency(docCount, frequency) : 0;
}

function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}

/** Returns, per candidate, the BM25 score of the expansion terms, with their shares as weights. */
export function scoreLent(
  lent: readonly LentWord[],
  stage: SecondStage,
  candidates: readonly Match[],
): Float64Array {
  const scores = new Float64Array(candidates.length);
  if (lent.length === 0) return scores;
  const { profile, statistics } = stage;
  for (const { segment } of stage.searched) {
    const own = [...candidates.keys()]
      .filter((at) => candidates[at]!.segment === segment)
      .sort((a, b) => candidates[a]!.doc - candidates[b]!.doc);
    if (own.length === 0) continue;
    const { lengths } = segment.reader.table;
    const docs = Uint32Array.from(own, (at) => candidates[at]!.doc);
    const found = reading(segment, () => {
      const [one] = lookUp([segment], asTerms(lent.map(({ term }) => term)));
      return frequenciesOf(lookupContextOf(stage), { ...one!, anchors: lent.map(() => []) }, docs);
    });
    for (let place = 0; place < own.length; place++) {
      const norm = lengthNorm(profile, lengths[docs[place]!]! / (statistics.meanLength || 1));
      let score = 0;
      for (let word = 0; word < lent.length; word++) {
        const frequency = (found[word]?.[place] ?? 0) / FREQUENCY_UNIT;
        score += (lent[word]!.share * frequency * (profile.k1 + 1)) / (frequency + norm);
      }
      scores[own[place]!] = score;
    }
  }
  return scores;
}
