/**
 * Second stage: looks closely at the best matches, at positions, titles, host names and what links say of them; and at
 * the best of those still more closely, at the words they share.
 *
 *   candidates   every feature that the index itself can tell
 *   close        feedback on top; these stay ahead of the other candidates
 *
 * Always the same number of matches is looked at, whichever page of results is asked for, and they stay ahead of all
 * others: pages neither overlap nor leave gaps.
 */
import { type DocId, fieldOf, formOf, positionOf, type TermEntry, VOTE_UNIT } from '../index/mod.ts';
import {
  type Evidence,
  explainScore,
  modelFeatures,
  modelScore,
  type Profile,
  type QueryStatistics,
  type ScoreBreakdown,
  type WordEvidence,
} from '../rank/mod.ts';
import { type Stemming, termOf, tokenize } from '../text/mod.ts';
import { registrableDomain } from '../url/mod.ts';
import { reading } from './errors.ts';
import { fingerprintOf, type Match } from './evaluate.ts';
import { lentWords, scoreLent } from './feedback.ts';
import type { LinkLookup } from './lookups.ts';
import type { SearchedSegment } from './statistics.ts';
import { type TermQuery, wantedForms } from './term-query.ts';
import { WholeDocuments } from './whole-document.ts';
import { type WordCursor, wordCursors } from './word-cursor.ts';

/** Of a word in one document; what follows changes no ranking that anyone would notice. */
const MAX_PLACES = 500;

export interface RankedMatch extends Match {
  features: readonly number[];
}

export interface SecondStage {
  query: TermQuery;
  searched: readonly SearchedSegment[];
  statistics: QueryStatistics;
  profile: Profile;
  links: LinkLookup | null;
}

interface Candidate extends RankedMatch {
  evidence: Evidence;
}

/** The matches with their score of the second stage, best first; a tie is broken by the URL's fingerprint. */
export function rerank(stage: SecondStage, matches: readonly Match[]): RankedMatch[] {
  return ranked(stage, matches).map(({ segment, doc, score, features }) => ({
    segment,
    doc,
    score,
    features,
  }));
}

/** The same for one of the matches, with its reasons; null if it is not among them. */
export function explainRank(
  stage: SecondStage,
  matches: readonly Match[],
  wanted: Match,
): ScoreBreakdown | null {
  const own = ranked(stage, matches).find(
    ({ segment, doc }) => segment === wanted.segment && doc === wanted.doc,
  );
  return own ? explainScore(stage.profile, stage.statistics, own.evidence) : null;
}

function ranked(stage: SecondStage, matches: readonly Match[]): Candidate[] {
  const { profile, searched } = stage;
  const candidates = matches.slice(0, profile.candidates);
  const all = searched.flatMap((one) => {
    const own = candidates.filter(({ segment }) => segment === one.segment).sort((a, b) => a.doc - b.doc);
    return reading(one.segment, () => {
      const evidenceOf = examinerOf(stage, one);
      return own.map((match) => judged(stage, match, evidenceOf(match.doc)));
    });
  });
  all.sort(byScore);
  const close = lookCloser(stage, all.slice(0, profile.close));
  return [...close.sort(byScore), ...all.slice(profile.close)];
}

function judged(stage: SecondStage, match: Match, evidence: Evidence): Candidate {
  const features = modelFeatures(stage.profile, stage.statistics, evidence);
  const score = modelScore(stage.profile, stage.statistics, features);
  return { segment: match.segment, doc: match.doc, score, features, evidence };
}

/** Adds what is too dear for all candidates. */
function lookCloser(stage: SecondStage, candidates: readonly Candidate[]): Candidate[] {
  const lent = lentWords(stage, candidates);
  if (lent.length === 0) return [...candidates];
  const lentScores = scoreLent(lent, stage, stage.searched, candidates);
  return candidates.map((candidate, at) =>
    judged(stage, candidate, { ...candidate.evidence, lent: lentScores[at] ?? null }),
  );
}

/** To be asked for documents in ascending order. */
function examinerOf(stage: SecondStage, one: SearchedSegment): (doc: DocId) => Evidence {
  const { query, profile, links, searched } = stage;
  const { words, stemming } = query;
  const { segment } = one;
  const { table } = segment.reader;
  const cursors = wordCursors(one);
  const votes = segment.anchors?.votes ?? null;
  const isLinear = profile.model === 'linear';
  const forms = words.map((_, i) => typedForms(query, i, one.entries[i] ?? null));
  const namesOf = memoized((host: number) => namesIn(table.hosts[host]!, words, stemming));
  const hostRankOf = memoized((host: number) => links?.hostRankOf?.(table.hosts[host]!) ?? null);
  const whole = isLinear ? null : new WholeDocuments(searched, stage.statistics.docCount);
  return (doc) => {
    const names = namesOf(table.hostOf[doc]!);
    return {
      length: table.lengths[doc]!,
      titleLength: table.titleLengths[doc]!,
      urlDepth: table.urlDepths[doc]!,
      hostFill: names.fill,
      rank: segment.ranks?.[doc] ?? 0,
      hostRank: hostRankOf(table.hostOf[doc]!),
      ageDays: null,
      isReadable: null,
      quality: null,
      lent: null,
      words: words.map((term, i) => {
        const own = wordEvidence(
          term,
          cursors[i] ?? null,
          doc,
          names.words.has(term),
          forms[i]!,
          votes?.[doc],
        );
        return isLinear || own?.positions.length ? own : null;
      }),
      whole: whole?.of(segment, doc) ?? null,
    };
  };
}

type TypedForms = 'all' | 'unknown' | ReadonlySet<number>;

/** Which forms of a term were typed. Where other terms count for it too, the numbers of forms say nothing. */
function typedForms({ typed, alternatives }: TermQuery, word: number, entry: TermEntry | null): TypedForms {
  if (!entry || alternatives[word]!.length > 0) return 'unknown';
  const wanted = typed[word]!.map((one) => wantedForms(entry, one));
  return wanted.every((forms) => forms !== null) ? new Set(wanted.flatMap((forms) => [...forms])) : 'all';
}

function wordEvidence(
  term: string,
  cursor: WordCursor | null,
  doc: DocId,
  inHost: boolean,
  forms: TypedForms,
  allVotes = 0,
): WordEvidence | null {
  if (cursor?.seek(doc) !== doc) return null;
  const positions = cursor.places(MAX_PLACES);
  const counts = [0, 0, 0, 0, 0, 0];
  let inForm = 0;
  for (let at = 0; at < positions.length; at++) {
    const place = positions[at]!;
    counts[fieldOf(place)]!++;
    if (forms === 'all' || (forms !== 'unknown' && forms.has(formOf(place)))) inForm++;
    positions[at] = positionOf(place);
  }
  const exact = forms === 'unknown' || positions.length === 0 ? null : inForm / positions.length;
  const { frequency, anchorFrequency } = cursor;
  const votes = anchorFrequency / VOTE_UNIT;
  const inAnchors = allVotes > 0 ? Math.min(1, anchorFrequency / allVotes) : null;
  return { term, frequency, positions, counts, inHost, votes, inAnchors, exact };
}

/** Which words the name of a host has, and which share of the name they are. */
function namesIn(
  host: string,
  words: readonly string[],
  stemming: Stemming,
): { words: Set<string>; fill: number } {
  const name = nameWords(host).map((word) => termOf(word, stemming));
  const joined = words.join('');
  if (name.includes(joined)) return { words: new Set(words), fill: 1 / name.length };
  const found = words.filter((word) => name.includes(word));
  return { words: new Set(found), fill: name.length > 0 ? Math.min(1, found.length / name.length) : 0 };
}

/** The words of a host's name without `www` and the public suffix: `undici` and `nodejs` of undici.nodejs.org. */
function nameWords(host: string): string[] {
  const domain = registrableDomain(host);
  const suffix = domain.includes('.') ? domain.slice(domain.indexOf('.')) : '';
  const words: string[] = [];
  tokenize(host.slice(0, host.length - suffix.length), (term) => words.push(term));
  return words.filter((word) => word !== 'www');
}

function byScore(a: Match, b: Match): number {
  return b.score - a.score || (fingerprintOf(a) < fingerprintOf(b) ? -1 : 1);
}

function memoized<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}
