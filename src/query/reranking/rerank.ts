/**
 * Second stage of a search: computes new scores for the best matches of the first stage, and full features for
 * the best of these matches.
 *
 *   candidates   rough score: the frequency of each word, and the columns of the index
 *   close        the best of those: positions, titles, shares of anchor texts, query expansion
 *
 * Close candidates rank above the other candidates, and all candidates rank above the other matches. The number of
 * candidates does not depend on the requested page, so pages neither overlap nor leave gaps.
 *
 * This module computes scores and features of given documents; the gateway orders the documents.
 */
import { Field, FREQUENCY_UNIT, VOTE_UNIT } from '../../index/mod.ts';
import {
  type Evidence,
  type Profile,
  RoughScorer,
  WHOLE_DOCUMENT,
  type WholeDocument,
  type WordEvidence,
} from '../../scoring/mod.ts';
import type { Deadline } from '../deadline.ts';
import { reading } from '../errors.ts';
import { type KernelSearch, type Match, similarityOf } from '../matching/mod.ts';
import { type GlobalStatistics, type SearchedSegment, type TermQuery, wantedForms } from '../terms/mod.ts';
import { EvidenceColumns } from './document-evidence.ts';
import { placesByDoc } from './ordering.ts';
import {
  formBits,
  frequenciesOf,
  type LookupContext,
  placesOf,
  type PlacesOfWords,
  type TypedForms,
  type WordPlaces,
} from './position-lookup.ts';
import { WholeDocuments } from './whole-document.ts';

export interface SecondStage {
  query: TermQuery;
  searched: readonly SearchedSegment[];
  statistics: GlobalStatistics;
  profile: Profile;
  /** The search kernel, which has postings lists in memory. If null, they are read from the files. */
  kernel: KernelSearch | null;
  deadline: Deadline;
}

/** A document: its segment and its number in the segment. */
export type SegmentDoc = Pick<Match, 'segment' | 'doc'>;

/** Returns the rough score of each match. Throws a LateError if the grace period of the query is over. */
export function roughScores(stage: SecondStage, matches: readonly SegmentDoc[]): Float64Array {
  const scorer = new RoughScorer(stage.profile, stage.statistics);
  const scores = new Float64Array(matches.length);
  eachSegment(stage, matches, (one) => scoreRoughly(stage, scorer, one, scores));
  return scores;
}

function scoreRoughly(
  stage: SecondStage,
  scorer: RoughScorer,
  { one, own, docs }: SegmentMatches,
  scores: Float64Array,
): void {
  const { query, profile, statistics } = stage;
  const frequencies = new Float64Array(query.words.length);
  const columns = new EvidenceColumns(query, statistics.newestDay, one.segment, profile);
  const words = frequenciesOf(lookupContextOf(stage), one, docs);
  for (let at = 0; at < own.length; at++) {
    for (let word = 0; word < words.length; word++) frequencies[word] = words[word]?.[at] ?? 0;
    scores[own[at]!] = scorer.score(columns.rough(docs[at]!), frequencies);
  }
}

/**
 * Looks up the evidence for the features of each match, except query expansion. `rarities` has the IDFs of all terms of
 * the documents; it is null if this is the only shard. Throws a LateError if the grace period of the query is over.
 */
export function gatherEvidence(
  stage: SecondStage,
  matches: readonly SegmentDoc[],
  rarities: ReadonlyMap<string, number> | null,
): SegmentEvidence[] {
  const { searched, profile, statistics, deadline } = stage;
  const needed = WHOLE_DOCUMENT[profile.model];
  const whole =
    needed && new WholeDocuments(searched, statistics, needed === 'vector', deadline, rarities ?? undefined);
  const gathered: SegmentEvidence[] = [];
  eachSegment(stage, matches, (own) => gathered.push(new SegmentEvidence(stage, own, whole)));
  return gathered;
}

/** Returns the evidence about one document, except the evidence that needs its whole text; see whole-document.ts. */
export function gatherPositions(stage: SecondStage, match: SegmentDoc): Evidence {
  let evidence: Evidence;
  eachSegment(stage, [match], (own) => {
    evidence = new SegmentEvidence(stage, own, null).of(0);
  });
  return evidence!;
}

/**
 * The evidence about the matches of a segment. The evidence about one document is many objects, so it is made when it
 * is asked for, and is not kept: only few documents are shown. Until the end of the query, only the numbers that the
 * kernel wrote are kept, in a few arrays.
 */
export class SegmentEvidence {
  readonly #query: TermQuery;
  readonly #isLinear: boolean;
  readonly #matches: SegmentMatches;
  readonly #columns: EvidenceColumns;
  readonly #places: PlacesOfWords;
  readonly #wholes: readonly WholeDocument[] | null;

  constructor(stage: SecondStage, matches: SegmentMatches, whole: WholeDocuments | null) {
    const { query, profile, statistics } = stage;
    const { one, docs } = matches;
    this.#query = query;
    this.#isLinear = profile.model === 'linear';
    this.#matches = matches;
    this.#columns = new EvidenceColumns(query, statistics.newestDay, one.segment, profile);
    this.#places = placesOf(lookupContextOf(stage), one, docs, typedForms(query));
    this.#wholes = whole?.of(one.segment, docs) ?? null;
  }

  /** The indexes of the segment's matches in the list of all matches. */
  get own(): Uint32Array {
    return this.#matches.own;
  }

  /** Returns the evidence about a document; null if it is not among the matches. */
  about({ segment, doc }: SegmentDoc): Evidence | null {
    const { one, docs } = this.#matches;
    const at = segment === one.segment ? docs.indexOf(doc) : -1;
    return at < 0 ? null : this.of(at);
  }

  /** Returns the evidence about the match with this index in the segment. */
  of(at: number): Evidence {
    const { one, docs } = this.#matches;
    const { segment } = one;
    const { words: terms, meaning } = this.#query;
    const doc = docs[at]!;
    const { inHost } = this.#columns.names(doc);
    const votes = segment.anchors?.votes[doc];
    const words: (WordEvidence | null)[] = [];
    for (let word = 0; word < terms.length; word++) {
      const evidence = wordEvidence(terms[word]!, this.#places.of(word, at), inHost[word]!, votes);
      words.push(this.#isLinear || evidence?.positions.length ? evidence : null);
    }
    return {
      ...this.#columns.document(doc),
      ...(meaning && {
        similarity: similarityOf(segment, doc, meaning),
        knownMeanings: meaning.knownMeanings,
      }),
      expansion: null,
      words,
      whole: this.#wholes?.[at] ?? null,
    };
  }
}

/** The matches of one segment. `own` has their indexes in the list of all matches; `docs` is ascending. */
export interface SegmentMatches {
  one: SearchedSegment;
  own: Uint32Array;
  docs: Uint32Array;
}

/**
 * Groups the matches by segment and calls `look` once per segment.
 *
 * In this room, a function that is created for each query does little itself: longer work is in a function of
 * the module, which it calls. The reason is that functions created for each query lose their compiled code
 * whenever the whole heap is collected, and are compiled again.
 */
export function eachSegment(
  { searched }: Pick<SecondStage, 'searched'>,
  matches: readonly SegmentDoc[],
  look: (matches: SegmentMatches) => void,
): void {
  for (const one of searched) {
    const mine: number[] = [];
    for (let at = 0; at < matches.length; at++) if (matches[at]!.segment === one.segment) mine.push(at);
    if (mine.length === 0) continue;
    const own = placesByDoc(matches, mine);
    const docs = own.map((at) => matches[at]!.doc);
    reading(one.segment, () => look({ one, own, docs }));
  }
}

export function lookupContextOf({
  searched,
  statistics,
  profile,
  kernel,
  deadline,
}: SecondStage): LookupContext {
  return { searched, meanLength: statistics.meanLength, profile, kernel, deadline };
}

function typedForms({ typed }: TermQuery): TypedForms {
  return (word, entry) => formBits(typed[word]!.map((one) => wantedForms(entry, one)));
}

function wordEvidence(
  term: string,
  places: WordPlaces | null,
  inHost: boolean,
  allVotes = 0,
): WordEvidence | null {
  if (!places) return null;
  const { frequency, positions, counts, share, through } = places;
  const evidence: WordEvidence = {
    term,
    frequency,
    positions,
    counts,
    share,
    inHost,
    votes: places.inAnchors / VOTE_UNIT,
    inAnchors: allVotes > 0 ? Math.min(1, places.inAnchors / allVotes) : null,
    exact: positions.length > 0 ? places.typed / positions.length : null,
  };
  if (through.length > 0) evidence.through = through;
  return evidence;
}

/** Returns the evidence for the rough score of a match, in the form of full evidence but without positions. */
export function roughEvidence(stage: SecondStage, match: SegmentDoc): Evidence {
  const { query, searched, statistics } = stage;
  const one = searched.find(({ segment }) => segment === match.segment)!;
  return reading(one.segment, () => {
    const columns = new EvidenceColumns(query, statistics.newestDay, one.segment, stage.profile);
    const { inHost } = columns.names(match.doc);
    const found = frequenciesOf(lookupContextOf(stage), one, Uint32Array.of(match.doc));
    const words = query.words.map((term, at): WordEvidence | null => {
      const frequency = found[at]?.[0] ?? 0;
      if (frequency === 0) return null;
      const counts = Object.keys(Field).map(() => 0);
      counts[Field.body] = frequency / FREQUENCY_UNIT;
      const none = { positions: [], votes: 0, inAnchors: null, exact: null };
      return { term, frequency, counts, share: 1, inHost: inHost[at]!, ...none };
    });
    return { ...columns.document(match.doc), expansion: null, words, whole: null };
  });
}
