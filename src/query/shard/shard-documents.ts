/**
 * Numbers the documents of a shard: the number is segment * DOCS_PER_SEGMENT + document within the segment. Replies
 * to the gateway contain arrays of numbers instead of objects, so that a remote shard can send them unchanged.
 */
import { copySignature, type OpenSegment, SIGNATURE_NUMBERS } from '../../index/mod.ts';
import { reading } from '../errors.ts';
import type { Match } from '../matching/mod.ts';
import type { SegmentDoc } from '../reranking/mod.ts';
import type { CandidatesReply, ShardDoc } from './search-shard.ts';

type Segments = readonly OpenSegment[];

const DOCS_PER_SEGMENT = 2 ** 32;

/** Returns the live document with this fingerprint of its URL, or null. */
export function findShardDocument(segments: Segments, fingerprint: bigint): ShardDoc | null {
  for (const [number, { reader, deletes }] of segments.entries()) {
    const doc = reader.findDocument(fingerprint);
    if (doc >= 0 && !deletes.has(doc)) return number * DOCS_PER_SEGMENT + doc;
  }
  return null;
}

export function segmentDocsOf(segments: Segments, docs: readonly ShardDoc[]): SegmentDoc[] {
  return docs.map((doc) => ({
    segment: segments[Math.floor(doc / DOCS_PER_SEGMENT)]!,
    doc: doc % DOCS_PER_SEGMENT,
  }));
}

/**
 * Returns the URLs of documents. Reads them in the order in which they are stored, because neighbours are stored
 * together.
 */
export function readUrls(segments: Segments, docs: readonly ShardDoc[]): string[] {
  const places = segmentDocsOf(segments, docs);
  const urls: string[] = [];
  const order = [...places.keys()].sort((a, b) => docs[a]! - docs[b]!);
  for (const at of order) {
    const { segment, doc } = places[at]!;
    urls[at] = reading(segment, () => segment.reader.url(doc));
  }
  return urls;
}

/** Returns the URLs and titles of at most `limit` of the `docCount` live documents, spread evenly over the segments. */
export function sampleTitles(
  segments: Segments,
  docCount: number,
  limit: number,
): { url: string; title: string }[] {
  const step = Math.max(1, docCount / limit);
  return segments.flatMap((segment) => {
    const count = Math.floor(segment.reader.docCount / step);
    const docs = Array.from({ length: count }, (_, at) => Math.floor(at * step));
    const live = docs.filter((doc) => !segment.hidden.has(doc));
    return live.map((doc) => {
      const { url, title } = reading(segment, () => segment.reader.document(doc));
      return { url, title };
    });
  });
}

/** Returns the properties of matches that the gateway needs, as one array per property. */
export function matchColumns(
  segments: Segments,
  matches: readonly Match[],
): Omit<CandidatesReply, 'total' | 'isPartial' | 'rough'> {
  const count = matches.length;
  const docs = new Float64Array(count);
  const scores = new Float64Array(count);
  const fingerprints = new BigInt64Array(count);
  const days = new Uint16Array(count);
  const hosts = new Array<string>(count);
  const types = new Array<string>(count);
  const languages = new Array<string>(count);
  const signatures = new Uint32Array(SIGNATURE_NUMBERS * count);
  const urlFits = new Uint8Array(count);
  const titleKeys = new Uint32Array(count);
  const translationKeys = new Uint32Array(count);
  const halves = halvesOf(fingerprints);
  const numbered = new Map(segments.map((segment, number) => [segment, numberedOf(segment, number)]));
  let last: OpenSegment | null = null;
  let from: NumberedSegment | null = null;
  for (let at = 0; at < count; at++) {
    const { segment, doc, score } = matches[at]!;
    if (segment !== last) {
      last = segment;
      from = numbered.get(segment)!;
    }
    const { base, table, fingerprintHalves } = from!;
    docs[at] = base + doc;
    scores[at] = score;
    halves[2 * at] = fingerprintHalves[2 * doc]!;
    halves[2 * at + 1] = fingerprintHalves[2 * doc + 1]!;
    days[at] = table.days[doc]!;
    hosts[at] = table.hosts[table.hostOf[doc]!]!;
    types[at] = table.types[table.typeOf[doc]!]!;
    languages[at] = table.languages[table.languageOf[doc]!]!;
    copySignature(table, doc, signatures, at);
    urlFits[at] = table.urlFits[doc]!;
    titleKeys[at] = table.titleKeys[doc]!;
    translationKeys[at] = table.translationKeys[doc]!;
  }
  const keys = { fingerprints, signatures, titleKeys, translationKeys };
  return { docs, scores, days, hosts, types, languages, urlFits, ...keys };
}

/**
 * A segment, and the number in the shard of its first document. `fingerprintHalves` has each fingerprint as two
 * 32-bit numbers, so that copying fingerprints creates no bigint.
 */
interface NumberedSegment {
  base: ShardDoc;
  table: OpenSegment['reader']['table'];
  fingerprintHalves: Int32Array;
}

function numberedOf({ reader: { table } }: OpenSegment, number: number): NumberedSegment {
  return { base: number * DOCS_PER_SEGMENT, table, fingerprintHalves: halvesOf(table.fingerprints) };
}

function halvesOf(numbers: BigInt64Array): Int32Array {
  return new Int32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
}
