/**
 * Second stage: looks closely at the best matches, at positions, titles and host names.
 *
 * Always the same number of matches is looked at, whichever page of results is asked for, and no bonus is
 * negative: the reranked documents stay ahead of all others, so pages neither overlap nor leave gaps.
 */
import { type DocId, Field, fieldOf, positionOf } from '../index/mod.ts';
import {
  type Evidence,
  explainScore,
  type Profile,
  type QueryStatistics,
  type ScoreBreakdown,
  type WordEvidence,
} from '../rank/mod.ts';
import { type Stemming, termOf, tokenize } from '../text/mod.ts';
import { registrableDomain } from '../url/mod.ts';
import { reading } from './errors.ts';
import type { Match } from './evaluate.ts';
import type { SearchedSegment } from './statistics.ts';
import type { TermQuery } from './term-query.ts';
import { type WordCursor, wordCursors } from './word-cursor.ts';

export const RERANKED = 200;

/** Of a word in one document; what follows changes no ranking that anyone would notice. */
const MAX_PLACES = 500;

export interface Ranked extends Match {
  breakdown: ScoreBreakdown;
}

/** The matches with their whole score, best first; a tie is broken by the URL. */
export function rerank(
  query: Pick<TermQuery, 'words' | 'stemming'>,
  searched: readonly SearchedSegment[],
  statistics: QueryStatistics,
  profile: Profile,
  matches: readonly Match[],
): Ranked[] {
  const ranked = searched.flatMap((one) => {
    const own = matches.filter(({ segment }) => segment === one.segment).sort((a, b) => a.doc - b.doc);
    return reading(one.segment, () => {
      const evidenceOf = examinerOf(query, one);
      return own.map((match) => {
        const breakdown = explainScore(profile, statistics, evidenceOf(match.doc));
        return { ...match, score: breakdown.total, breakdown };
      });
    });
  });
  /** Looked up for ties alone. */
  const urlOf = memoized(({ segment, doc }: Match) =>
    reading(segment, () => segment.reader.document(doc).url),
  );
  return ranked.sort((a, b) => b.score - a.score || (urlOf(a) < urlOf(b) ? -1 : 1));
}

/** To be asked for documents in ascending order. */
function examinerOf(
  { words, stemming }: Pick<TermQuery, 'words' | 'stemming'>,
  one: SearchedSegment,
): (doc: DocId) => Evidence {
  const { segment } = one;
  const { table } = segment.reader;
  const cursors = wordCursors(one);
  const namesOf = memoized((host: number) => namesIn(table.hosts[host]!, words, stemming));
  return (doc) => {
    const names = namesOf(table.hostOf[doc]!);
    return {
      length: table.lengths[doc]!,
      titleLength: table.titleLengths[doc]!,
      urlDepth: table.urlDepths[doc]!,
      hostFill: names.fill,
      rank: segment.ranks?.[doc] ?? 0,
      words: words.map((term, i) => wordEvidence(term, cursors[i] ?? null, doc, names.words.has(term))),
    };
  };
}

function wordEvidence(
  term: string,
  cursor: WordCursor | null,
  doc: DocId,
  inHost: boolean,
): WordEvidence | null {
  if (cursor?.seek(doc) !== doc) return null;
  const places = cursor.places(MAX_PLACES);
  const inTitle = places.filter((place) => fieldOf(place) === Field.title).length;
  return { term, frequency: cursor.frequency, positions: places.map(positionOf), inTitle, inHost };
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

function memoized<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? compute(key);
    known.set(key, value);
    return value;
  };
}
