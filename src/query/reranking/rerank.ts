/**
 * Second stage: scores the best matches again, and the best of those with more features.
 *
 *   candidates   rough score: the frequency of each word, and the columns of the index
 *   close        the best of those: positions, titles, shares of anchor texts, query expansion
 *
 * The close candidates stay ahead of the other candidates, and all candidates ahead of the other matches. The
 * number of candidates does not depend on the page of results, so pages neither overlap nor leave gaps.
 */
import { FREQUENCY_UNIT, VOTE_UNIT } from '../../index/mod.ts';
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
} from '../../scoring/mod.ts';
import { type Deadline, LateError } from '../deadline.ts';
import { reading } from '../errors.ts';
import { fingerprintOf, type KernelSearch, type Match } from '../matching/mod.ts';
import { type SearchedSegment, type TermQuery, wantedForms } from '../terms/mod.ts';
import { evidenceColumnsOf } from './document-evidence.ts';
import { placesByDoc, placesByScore } from './ordering.ts';
import {
  formBits,
  frequenciesOf,
  type LookupContext,
  placesOf,
  type TypedForms,
  type WordPlaces,
} from './position-lookup.ts';
import { lentWords, scoreLent } from './query-expansion.ts';
import { WholeDocuments } from './whole-document.ts';

export interface RankedMatch extends Match {
  /** Empty for candidates that have only a rough score. */
  features: readonly number[];
  /** The evidence for the features; absent for candidates that have only a rough score. */
  evidence?: Evidence;
}

export interface SecondStage {
  query: TermQuery;
  searched: readonly SearchedSegment[];
  statistics: QueryStatistics;
  profile: Profile;
  /** Null reads lists from the files only. */
  kernel: KernelSearch | null;
  deadline: Deadline;
}

interface Reranking {
  matches: RankedMatch[];
  /** True if there was no time; the matches are in the order of the first stage. */
  isCut: boolean;
}

interface Candidate extends RankedMatch {
  evidence: Evidence;
}

/**
 * Returns the matches with their second-stage scores, best first. Ties are broken by the URL's fingerprint.
 */
export function rerank(stage: SecondStage, matches: readonly Match[]): Reranking {
  try {
    const { close, others } = ranked(stage, matches);
    return { matches: [...close, ...others], isCut: false };
  } catch (error) {
    if (!(error instanceof LateError)) throw error;
    return { matches: matches.map((match) => ({ ...match, features: NO_FEATURES })), isCut: true };
  }
}

/** Explains the second-stage score of one of the matches; null if it is not among them. */
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
  const glanced = all.length > close ? roughRank(stage, all) : [];
  const best = fineRank(stage, all.length > close ? glanced.slice(0, close) : all);
  return { close: applyFeedback(stage, best).sort(byScore), others: glanced.slice(close) };
}

const NO_FEATURES: readonly number[] = [];

/** Returns the matches with rough scores, best first. */
function roughRank(stage: SecondStage, matches: readonly Match[]): RankedMatch[] {
  const { query, searched, profile, statistics } = stage;
  const scoreOf = roughScorer(profile, statistics);
  const scores = new Float64Array(matches.length);
  const frequencies = new Float64Array(query.words.length);
  eachSegment(stage, matches, (one, own, docs) => {
    const columns = evidenceColumnsOf(query, searched, one.segment, stage.profile);
    const words = frequenciesOf(lookupContextOf(stage), one, docs);
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

function fineRank(stage: SecondStage, matches: readonly Match[]): Candidate[] {
  const { query, searched, profile, statistics } = stage;
  const isLinear = profile.model === 'linear';
  const needed = WHOLE_DOCUMENT[profile.model];
  const whole =
    needed && new WholeDocuments(searched, statistics.docCount, needed === 'vector', stage.deadline);
  const examined: Candidate[] = [];
  eachSegment(stage, matches, (one, own, docs) => {
    const columns = evidenceColumnsOf(query, searched, one.segment, stage.profile);
    const words = placesOf(lookupContextOf(stage), one, docs, typedForms(query));
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

/** Calls `look` for each segment with its matches in document order: `own` are their indexes in `matches`. */
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

export function lookupContextOf({
  searched,
  statistics,
  profile,
  kernel,
  deadline,
}: SecondStage): LookupContext {
  return { searched, meanLength: statistics.meanLength, profile, kernel, deadline };
}

function judged(stage: SecondStage, match: Match, evidence: Evidence): Candidate {
  const features = modelFeatures(stage.profile, stage.statistics, evidence);
  const score = modelScore(stage.profile, stage.statistics, features);
  return { segment: match.segment, doc: match.doc, score, features, evidence };
}

/** Adds the query expansion score to each candidate. */
function applyFeedback(stage: SecondStage, candidates: readonly Candidate[]): Candidate[] {
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

/** Returns the evidence of the rough score in the form of full evidence without positions. */
function glancedEvidence(stage: SecondStage, match: Match): Evidence {
  const { query, searched } = stage;
  const one = searched.find(({ segment }) => segment === match.segment)!;
  return reading(one.segment, () => {
    const columns = evidenceColumnsOf(query, searched, one.segment, stage.profile);
    const { inHost } = columns.names(match.doc);
    const found = frequenciesOf(lookupContextOf(stage), one, Uint32Array.of(match.doc));
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
