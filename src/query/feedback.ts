/**
 * Feedback: the best documents lend their words to the query.
 *
 * Who asks in a sentence names a thing in a few of the words that are used for it. The documents found first mostly
 * are about it, and the words that several of them share are other words for it. A candidate is then also judged by how
 * well it has those (the idea of Rocchio and of relevance models, kept to the candidates: no second search is made, so
 * feedback can change their order but never bring in what does not match the query).
 *
 * A short query names one thing, and feedback would blur it; see `minWords` of a profile.
 */

import { FREQUENCY_UNIT } from '../index/mod.ts';
import { inverseDocumentFrequency, lengthNorm } from '../rank/mod.ts';
import { ALL_STEMMINGS } from '../text/mod.ts';
import { frequenciesOf } from './closer-look.ts';
import { reading } from './errors.ts';
import type { Match } from './evaluate.ts';
import { lookingAt, type SecondStage } from './rerank.ts';
import { sharedWords } from './shared-words.ts';
import { asTerms, liveFrequency, lookUp } from './statistics.ts';

export interface LentWord {
  term: string;
  /** All of them sum to 1. */
  share: number;
}

/** A word must be in so many of the best documents: else it is their own. */
const MIN_DOCUMENTS = 2;
/** Only so many words, the most shared, are looked up in the dictionary. */
const LOOKED_UP = 100;
/** Words that more documents have tell nothing. */
const MAX_DOCUMENT_SHARE = 0.25;

/** Empty if the profile or the query wants no feedback. `candidates` are in order, the best first. */
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
 * 0 for a word that next to no document has, or very many. Only live documents count, see statistics.ts; a word that is
 * in too many of them whichever are deleted is not walked.
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

/** Per candidate, how well it has the words: BM25 with their shares for weights. */
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
      return frequenciesOf(lookingAt(stage), { ...one!, anchors: lent.map(() => []) }, docs);
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
