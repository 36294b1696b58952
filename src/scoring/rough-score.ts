/**
 * Computes the rough score, by which the close candidates are chosen. It has no features that need positions.
 */
import { FIELD_WEIGHTS, Field, FREQUENCY_UNIT } from '../index/mod.ts';
import { lengthNorm } from './bm25.ts';
import type { DocumentEvidence, QueryStatistics } from './evidence.ts';
import type { Profile } from './profile.ts';
import { hostMatch, SITE_WORD_WEIGHT } from './site-match.ts';

export interface RoughDocument
  extends Pick<
    DocumentEvidence,
    'length' | 'subjectLength' | 'urlDepth' | 'hostFill' | 'isReadable' | 'isEntry'
  > {
  standing: number;
  /** True for each word of the query that is in the host name. */
  inHost: readonly boolean[];
}

/** The frequency of a word that occurs once in the title and nowhere else, in occurrences in body text. */
const IN_TITLE = FIELD_WEIGHTS[Field.title]! / FREQUENCY_UNIT;

/**
 * Computes the scores by which the close candidates of a query are chosen. Frequencies are weighted with the
 * field weights of the index, not with the field weights of the profile.
 *
 * The scorer does not know which words are in the title and headings. It assumes that a document may have the
 * query as its title if each word is frequent enough to be in the title, and the title has no more words than
 * the query. Such a document gets points as if its title were the query, because otherwise a page whose title
 * has only common words could not be found by its title. A short title gets fewer points, because the words of
 * a short query are more likely to occur often by coincidence.
 */
export class RoughScorer {
  readonly #profile: Profile;
  readonly #statistics: QueryStatistics;

  constructor(profile: Profile, statistics: QueryStatistics) {
    this.#profile = profile;
    this.#statistics = statistics;
  }

  /**
   * Returns the score of a document. `frequencies` has, for each word of the query, its weighted frequency in
   * multiples of 1 / FREQUENCY_UNIT, or 0 if the document does not have the word.
   */
  score(document: RoughDocument, frequencies: ArrayLike<number>): number {
    const { idfs, isFunction, isGeneric, weight, meanLength } = this.#statistics;
    const profile = this.#profile;
    const {
      text = 0,
      complete = 0,
      host = 0,
      site = 0,
      entry = 0,
      language = 0,
      title = 0,
      wholeTitle = 0,
    } = profile.weights;
    if (weight === 0) return 0;
    const norm = lengthNorm(profile, document.length / meanLength);
    let hasOthers = false;
    for (let at = 0; at < idfs.length && !hasOthers; at++)
      hasOthers = !isFunction[at] && !(frequencies[at]! > 0 && document.inHost[at]);
    const reduction = hasOthers ? SITE_WORD_WEIGHT : 1;
    let sum = 0;
    let found = 0;
    let named = 0;
    let generic = 0;
    let titled = 0;
    let mayBeTitle = document.subjectLength > 0;
    for (let at = 0; at < idfs.length; at++) {
      const idf = idfs[at]!;
      const frequency = frequencies[at]! / FREQUENCY_UNIT;
      const isNamed = frequency > 0 && document.inHost[at]!;
      if (isNamed) named += idf;
      else if (isGeneric[at]) generic += idf;
      if (frequency >= IN_TITLE) titled++;
      else if (!isNamed) mayBeTitle = false;
      if (frequency === 0) continue;
      const reduced = isNamed ? reduction * idf : idf;
      sum += (reduced * frequency) / (frequency + norm);
      found += reduced;
    }
    const onSite = weight - (1 - reduction) * named;
    const share = found / onSite;
    const start = Math.min(1, (named + generic) / weight);
    return (
      weight *
      ((text * (profile.k1 + 1) * sum) / onSite +
        (complete === 0 ? 0 : complete * share ** idfs.length) +
        (named === 0 ? 0 : host * hostMatch(start, document) + (site * named) / weight) +
        (document.isEntry ? entry * start ** 2 : 0) +
        (document.isReadable ? language : 0) +
        (mayBeTitle && document.subjectLength <= titled
          ? (title + wholeTitle) * (1 - 1 / Math.max(2, document.subjectLength))
          : 0) +
        document.standing)
    );
  }
}
