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

import { type DocId, FREQUENCY_UNIT, type OpenSegment } from '../index/mod.ts';
import { inverseDocumentFrequency, lengthNorm } from '../rank/mod.ts';
import { ALL_STEMMINGS, stemmingOf } from '../text/mod.ts';
import { frequenciesOf } from './closer-look.ts';
import { reading } from './errors.ts';
import type { Match } from './evaluate.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import { lookingAt, type SecondStage } from './rerank.ts';
import { asTerms, liveFrequency, lookUp } from './statistics.ts';
import { countTerms } from './word-use.ts';

export interface LentWord {
  term: string;
  /** All of them sum to 1. */
  share: number;
}

/** Of a long text the beginning tells what it is about. */
const READ_CHARACTERS = 1500;
const SATURATION = 1.2;
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
  const shared = sharedWords(candidates.slice(0, feedback.documents));
  const weighed = shared
    .slice(0, LOOKED_UP)
    .map(({ term, value }) => ({ term, value: value * rarityOf(term, stage) }))
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value || (a.term < b.term ? -1 : 1))
    .slice(0, feedback.words);
  const total = weighed.reduce((sum, { value }) => sum + value, 0);
  return weighed.map(({ term, value }) => ({ term, share: value / total }));
}

/** The words of several of the documents, those that are most theirs first; better documents count more. */
function sharedWords(best: readonly Match[]): { term: string; value: number }[] {
  const values = new Map<string, { value: number; documents: number }>();
  const total = best.reduce((sum, { score }) => sum + score, 0);
  for (const match of best) {
    for (const [term, count] of termsOf(match)) {
      const own = values.get(term) ?? { value: 0, documents: 0 };
      own.value += (match.score / total) * (count / (count + SATURATION));
      own.documents++;
      values.set(term, own);
    }
  }
  const least = Math.min(MIN_DOCUMENTS, best.length);
  return [...values]
    .filter(([, { documents }]) => documents >= least)
    .map(([term, { value }]) => ({ term, value }))
    .sort((a, b) => b.value - a.value || (a.term < b.term ? -1 : 1));
}

/** Per segment, the terms of documents that lent lately: the same few lead the lists of many queries. */
const lately = new WeakMap<OpenSegment, Map<DocId, ReadonlyMap<string, number>>>();
/** Documents per segment, at about 10 kB each. */
const MAX_KEPT = 1000;

function termsOf({ segment, doc }: Match): ReadonlyMap<string, number> {
  const kept = lately.get(segment) ?? new Map<DocId, ReadonlyMap<string, number>>();
  const known = kept.get(doc);
  if (known) return known;
  const { title, text, language } = reading(segment, () => segment.reader.document(doc));
  const terms = countTerms(
    `${title}\n${text.slice(0, READ_CHARACTERS)}`,
    stemmingOf(language),
    (word) => !FUNCTION_WORDS.has(word),
  );
  if (kept.size >= MAX_KEPT) kept.clear();
  lately.set(segment, kept.set(doc, terms));
  return terms;
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
    for (const [place, at] of own.entries()) {
      const norm = lengthNorm(profile, lengths[docs[place]!]! / (statistics.meanLength || 1));
      for (const [word, frequencies] of found.entries()) {
        const frequency = (frequencies?.[place] ?? 0) / FREQUENCY_UNIT;
        scores[at]! += (lent[word]!.share * frequency * (profile.k1 + 1)) / (frequency + norm);
      }
    }
  }
  return scores;
}
