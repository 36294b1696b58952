/**
 * Second stage: looks closely at the best matches, and at the best of those still more closely.
 *
 *   candidates   a glance: how often they have each word, and what the index's columns say of them
 *   close        the best of those: where the words stand, titles, which share of links say them, the words they share
 *
 * The close ones stay ahead of the other candidates, and all candidates ahead of the other matches. Always the same
 * number is looked at, whichever page of results is asked for: pages neither overlap nor leave gaps.
 */
import { FREQUENCY_UNIT, VOTE_UNIT } from '../index/mod.ts';
import {
  type Evidence,
  explainScore,
  modelFeatures,
  modelScore,
  type Profile,
  type QueryStatistics,
  roughScorer,
  type ScoreBreakdown,
  type WordEvidence,
  withFeedback,
} from '../rank/mod.ts';
import {
  formBits,
  frequenciesOf,
  type LookingAt,
  placesOf,
  type TypedForms,
  type WordPlaces,
} from './closer-look.ts';
import { columnsOf } from './document-evidence.ts';
import { reading } from './errors.ts';
import { fingerprintOf, type Match } from './evaluate.ts';
import { lentWords, scoreLent } from './feedback.ts';
import type { KernelSearch } from './kernel-search.ts';
import type { SearchedSegment } from './statistics.ts';
import { type TermQuery, wantedForms } from './term-query.ts';
import { WholeDocuments } from './whole-document.ts';

export interface RankedMatch extends Match {
  /** Empty for candidates that only got a glance. */
  features: readonly number[];
  /** Per word, where it stands; absent for those too. */
  places?: readonly (ArrayLike<number> | null)[];
}

export interface SecondStage {
  query: TermQuery;
  searched: readonly SearchedSegment[];
  statistics: QueryStatistics;
  profile: Profile;
  /** Null reads lists from the files alone. */
  kernel: KernelSearch | null;
}

interface Candidate extends RankedMatch {
  evidence: Evidence;
}

/** The matches with their score of the second stage, best first; a tie is broken by the URL's fingerprint. */
export function rerank(stage: SecondStage, matches: readonly Match[]): RankedMatch[] {
  const { close, others } = ranked(stage, matches);
  return [
    ...close.map(({ segment, doc, score, features, evidence }) => {
      const places = evidence.words.map((word) => word?.positions ?? null);
      return { segment, doc, score, features, places };
    }),
    ...others.map(({ segment, doc, score }) => ({ segment, doc, score, features: [] })),
  ];
}

/** The same for one of the matches, with its reasons; null if it is not among them. */
export function explainRank(
  stage: SecondStage,
  matches: readonly Match[],
  wanted: Match,
): ScoreBreakdown | null {
  const isWanted = ({ segment, doc }: Match) => segment === wanted.segment && doc === wanted.doc;
  const { close, others } = ranked(stage, matches);
  const other = others.find(isWanted);
  const evidence = close.find(isWanted)?.evidence ?? (other ? glancedEvidence(stage, other) : null);
  return evidence && explainScore(stage.profile, stage.statistics, evidence);
}

function ranked(stage: SecondStage, matches: readonly Match[]): { close: Candidate[]; others: Match[] } {
  const { candidates, close } = stage.profile;
  const all = matches.slice(0, candidates);
  const glanced = all.length > close ? glance(stage, all) : [];
  const best = examine(stage, all.length > close ? glanced.slice(0, close) : all);
  return { close: lookCloser(stage, best).sort(byScore), others: glanced.slice(close) };
}

function glance(stage: SecondStage, matches: readonly Match[]): Match[] {
  const { query, searched, profile, statistics } = stage;
  const score = roughScorer(profile, statistics);
  const glanced = bySegment(stage, matches, (one, own, docs) => {
    const columns = columnsOf(query, searched, one.segment);
    const words = frequenciesOf(lookingAt(stage), one, docs);
    const frequencies = new Float64Array(words.length);
    return own.map(({ segment, doc }, at): Match => {
      for (let word = 0; word < words.length; word++) frequencies[word] = words[word]?.[at] ?? 0;
      return {
        segment,
        doc,
        score: score(columns.document(doc), frequencies, columns.names(doc).inHost),
      };
    });
  });
  return glanced.sort(byScore);
}

function examine(stage: SecondStage, matches: readonly Match[]): Candidate[] {
  const { query, searched, profile, statistics } = stage;
  const isLinear = profile.model === 'linear';
  const whole = isLinear ? null : new WholeDocuments(searched, statistics.docCount);
  const examined = bySegment(stage, matches, (one, own, docs) => {
    const columns = columnsOf(query, searched, one.segment);
    const words = placesOf(lookingAt(stage), one, docs, typedForms(query));
    const votes = one.segment.anchors?.votes ?? null;
    return own.map((match, at) => {
      const { inHost } = columns.names(match.doc);
      const evidence: Evidence = {
        ...columns.document(match.doc),
        lent: null,
        words: words.map((list, word) => {
          const own = wordEvidence(query.words[word]!, list[at]!, inHost[word]!, votes?.[match.doc]);
          return isLinear || own?.positions.length ? own : null;
        }),
        whole: whole?.of(one.segment, match.doc) ?? null,
      };
      return judged(stage, match, evidence);
    });
  });
  return examined.sort(byScore);
}

/** Goes through the matches segment by segment, those of each in the order of its documents. */
function bySegment<T>(
  { searched }: SecondStage,
  matches: readonly Match[],
  look: (one: SearchedSegment, own: readonly Match[], docs: Uint32Array) => T[],
): T[] {
  return searched.flatMap((one) => {
    const own = matches.filter(({ segment }) => segment === one.segment).sort((a, b) => a.doc - b.doc);
    if (own.length === 0) return [];
    return reading(one.segment, () =>
      look(
        one,
        own,
        Uint32Array.from(own, ({ doc }) => doc),
      ),
    );
  });
}

export function lookingAt({ searched, statistics, profile, kernel }: SecondStage): LookingAt {
  return { searched, meanLength: statistics.meanLength, profile, kernel };
}

function judged(stage: SecondStage, match: Match, evidence: Evidence): Candidate {
  const features = modelFeatures(stage.profile, stage.statistics, evidence);
  const score = modelScore(stage.profile, stage.statistics, features);
  return { segment: match.segment, doc: match.doc, score, features, evidence };
}

/** Adds what the best of them share. */
function lookCloser(stage: SecondStage, candidates: readonly Candidate[]): Candidate[] {
  const lent = lentWords(stage, candidates);
  if (lent.length === 0) return [...candidates];
  const lentScores = scoreLent(lent, stage, candidates);
  return candidates.map((candidate, at) => {
    const evidence = { ...candidate.evidence, lent: lentScores[at] ?? null };
    const features = withFeedback(candidate.features, evidence.lent);
    return { ...candidate, features, evidence, score: modelScore(stage.profile, stage.statistics, features) };
  });
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
  const { frequency, positions, counts, share, through = [] } = places;
  return {
    term,
    frequency,
    positions,
    counts,
    share,
    inHost,
    votes: places.inAnchors / VOTE_UNIT,
    inAnchors: allVotes > 0 ? Math.min(1, places.inAnchors / allVotes) : null,
    exact: positions.length > 0 ? places.typed / positions.length : null,
    ...(through.length > 0 ? { through } : {}),
  };
}

/** What a glance told of a match, as if it had been a closer look that found no positions. */
function glancedEvidence(stage: SecondStage, match: Match): Evidence {
  const { query, searched } = stage;
  const one = searched.find(({ segment }) => segment === match.segment)!;
  return reading(one.segment, () => {
    const columns = columnsOf(query, searched, one.segment);
    const { inHost } = columns.names(match.doc);
    const found = frequenciesOf(lookingAt(stage), one, Uint32Array.of(match.doc));
    const words = query.words.map((term, at): WordEvidence | null => {
      const frequency = found[at]?.[0] ?? 0;
      if (frequency === 0) return null;
      const counts = [frequency / FREQUENCY_UNIT, 0, 0, 0, 0, 0];
      const none = { positions: [], votes: 0, inAnchors: null, exact: null };
      return { term, frequency, counts, share: 1, inHost: inHost[at]!, ...none };
    });
    return { ...columns.document(match.doc), lent: null, words, whole: null };
  });
}

function byScore(a: Match, b: Match): number {
  return b.score - a.score || (fingerprintOf(a) < fingerprintOf(b) ? -1 : 1);
}
