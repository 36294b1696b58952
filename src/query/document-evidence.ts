/** What the columns of a segment tell of a document for one query: its length, its address, its ranks, its age. */
import type { DocId, OpenSegment } from '../index/mod.ts';
import type { DocumentEvidence } from '../rank/mod.ts';
import { type Stemming, tokenize } from '../text/mod.ts';
import { registrableDomain } from '../url/mod.ts';
import { knownTermOf } from './known-terms.ts';
import type { SearchedSegment } from './statistics.ts';
import type { TermQuery } from './term-query.ts';

/** A term and the words it stands for begin alike, as far as this. */
const BEGINNING = 3;

/** Which words the name of a host has, and which share of the name they are. */
export interface HostNames {
  inHost: readonly boolean[];
  fill: number;
}

export interface ColumnsOf {
  document(doc: DocId): DocumentEvidence;
  names(doc: DocId): HostNames;
}

/** Age is counted from the newest live document of all segments, not from today: the same index gives the same list. */
export function columnsOf(
  { words, stemming }: TermQuery,
  searched: readonly SearchedSegment[],
  segment: OpenSegment,
): ColumnsOf {
  const { table } = segment.reader;
  const today = searched.reduce((latest, { segment }) => Math.max(latest, newestDay(segment)), 0);
  const nobody = { inHost: words.map(() => false), fill: 0 };
  const beginnings = words.map((word) => word.slice(0, BEGINNING));
  const namesOf = memoized((host: number) => {
    const name = table.hosts[host]!;
    const isLikely = beginnings.some((beginning) => name.includes(beginning));
    return isLikely ? namesIn(name, words, stemming) : nobody;
  });
  const signals = segment.hostSignals;
  const names = (doc: DocId) => namesOf(table.hostOf[doc]!);
  return {
    names,
    document: (doc, host = table.hostOf[doc]!) => ({
      length: table.lengths[doc]!,
      titleLength: table.titleLengths[doc]!,
      urlDepth: table.urlDepths[doc]!,
      hostFill: names(doc).fill,
      rank: segment.ranks?.[doc] ?? 0,
      hostRank: signals?.rank[host] ?? null,
      trust: signals?.trust[host] ?? null,
      farm: signals?.farm[host] ?? null,
      concentration: signals?.concentration[host] ?? null,
      ageDays: table.days[doc]! === 0 ? null : today - table.days[doc]!,
      isReadable: table.stemmings[doc] === stemming,
      quality: table.qualities[doc]! === 0 ? null : table.qualities[doc]! / 255,
    }),
  };
}

function namesIn(host: string, words: readonly string[], stemming: Stemming): HostNames {
  const name = nameWords(host).map((word) => knownTermOf(word, stemming));
  if (name.includes(words.join(''))) return { inHost: words.map(() => true), fill: 1 / name.length };
  const inHost = words.map((word) => name.includes(word));
  const found = inHost.filter(Boolean).length;
  return { inHost, fill: name.length > 0 ? Math.min(1, found / name.length) : 0 };
}

/** The words of a host's name without `www` and the public suffix: `undici` and `nodejs` of undici.nodejs.org. */
export function nameWords(host: string): string[] {
  const domain = registrableDomain(host);
  const suffix = domain.includes('.') ? domain.slice(domain.indexOf('.')) : '';
  const words: string[] = [];
  tokenize(host.slice(0, host.length - suffix.length), (term) => words.push(term));
  return words.filter((word) => word !== 'www');
}

const newestDays = new WeakMap<OpenSegment, number>();

function newestDay(segment: OpenSegment): number {
  const known = newestDays.get(segment);
  if (known !== undefined) return known;
  const { days } = segment.reader.table;
  const newest = days.reduce(
    (latest, day, doc) => (segment.deletes.has(doc) ? latest : Math.max(latest, day)),
    0,
  );
  newestDays.set(segment, newest);
  return newest;
}

function memoized<Value>(compute: (key: number) => Value): (key: number) => Value {
  const known = new Map<number, Value>();
  return (key) => {
    let value = known.get(key);
    if (value === undefined) {
      value = compute(key);
      known.set(key, value);
    }
    return value;
  };
}
