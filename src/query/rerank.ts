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
  WHOLE_DOCUMENT,
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
import { placesByDoc, placesByScore } from './ordering.ts';
import type { SearchedSegment } from './statistics.ts';
import { type TermQuery, wantedForms } from './term-query.ts';
import { WholeDocuments } from './whole-document.ts';

export interface RankedMatch extends Match {
  /** Empty for candidates that only got a glance. */
  features: readonly number[];
  /** What was found out by looking closely; absent for those too. */
  evidence?: Evidence;
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
  return [...close, ...others];
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

function ranked(
  stage: SecondStage,
  matches: readonly Match[],
): { close: Candidate[]; others: RankedMatch[] } {
  const { candidates, close } = stage.profile;
  const all = matches.slice(0, candidates);
  const glanced = all.length > close ? glance(stage, all) : [];
  const best = examine(stage, all.length > close ? glanced.slice(0, close) : all);
  return { close: lookCloser(stage, best).sort(byScore), others: glanced.slice(close) };
}

const NO_FEATURES: readonly number[] = [];

/** In the order of their scores. */
function glance(stage: SecondStage, matches: readonly Match[]): RankedMatch[] {
  const { query, searched, profile, statistics } = stage;
  const scoreOf = roughScorer(profile, statistics);
  const scores = new Float64Array(matches.length);
  const frequencies = new Float64Array(query.words.length);
  eachSegment(stage, matches, (one, own, docs) => {
    const columns = columnsOf(query, searched, one.segment, stage.profile);
    const words = frequenciesOf(lookingAt(stage), one, docs);
    for (let at = 0; at < own.length; at++) {
      for (let word = 0; word < words.length; word++) frequencies[word] = words[word]?.[at] ?? 0;
      scores[own[at]!] = scoreOf(columns.glance(docs[at]!), frequencies);
    }
  });
  const order = placesByScore(scores, (a, b) => byFingerprint(matches[a]!, matches[b]!));
  return Array.from(order, (at) => {
    const { segment, doc } = matches[at]!;
    return { segment, doc, score: scores[at]!, features: NO_FEATURES };
  });
}

function examine(stage: SecondStage, matches: readonly Match[]): Candidate[] {
  const { query, searched, profile, statistics } = stage;
  const isLinear = profile.model === 'linear';
  const needed = WHOLE_DOCUMENT[profile.model];
  const whole = needed && new WholeDocuments(searched, statistics.docCount, needed === 'vector');
  const examined: Candidate[] = [];
  eachSegment(stage, matches, (one, own, docs) => {
    const columns = columnsOf(query, searched, one.segment, stage.profile);
    const words = placesOf(lookingAt(stage), one, docs, typedForms(query));
    const votes = one.segment.anchors?.votes ?? null;
    const wholes = whole?.of(one.segment, docs) ?? null;
    for (let at = 0; at < own.length; at++) {
      const match = matches[own[at]!]!;
      const { inHost } = columns.names(match.doc);
      const evidence: Evidence = {
        ...columns.document(match.doc),
        lent: null,
        words: words.map((list, word) => {
          const own = wordEvidence(query.words[word]!, list[at]!, inHost[word]!, votes?.[match.doc]);
          return isLinear || own?.positions.length ? own : null;
        }),
        whole: wholes?.[at] ?? null,
      };
      examined.push(judged(stage, match, evidence));
    }
  });
  return examined.sort(byScore);
}

/** Goes through the matches segment by segment, those of each in the order of its documents: `own` are their places. */
function eachSegment(
  { searched }: SecondStage,
  matches: readonly Match[],
  look: (one: SearchedSegment, own: Uint32Array, docs: Uint32Array) => void,
): void {
  for (const one of searched) {
    const mine: number[] = [];
    for (let at = 0; at < matches.length; at++) if (matches[at]!.segment === one.segment) mine.push(at);
    if (mine.length === 0) continue;
    const own = placesByDoc(matches, mine);
    const docs = own.map((at) => matches[at]!.doc);
    reading(one.segment, () => look(one, own, docs));
  }
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
    const columns = columnsOf(query, searched, one.segment, stage.profile);
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
  return b.score - a.score || byFingerprint(a, b);
}

function byFingerprint(a: Match, b: Match): number {
  return fingerprintOf(a) < fingerprintOf(b) ? -1 : 1;
}
