/**
 * Lists of postings in the kernel's memory, kept from query to query.
 *
 * A list comes in when a query first asks for it and stays until the memory for lists is full: then all of them go,
 * and those in use come back by themselves. That is simpler than to free single lists, leaves no holes, and
 * costs one read from the page cache per list. A list that would take more than half of the memory is not taken in.
 *
 * Block maxima are computed when a list comes in, not stored: they depend on the mean length of all documents
 * and on the profile. So a change of either empties the memory.
 */
import type { TermEntry } from './dictionary-format.ts';
import type { OpenSegment } from './open-segment.ts';
import { PACKED_COUNT } from './packing.ts';
import { POSTINGS_BLOCK } from './postings-format.ts';
import { Scratch, SearchKernel } from './search-kernel.ts';

/** How documents are scored, for norms and maxima. */
export interface Scoring {
  /** Another object is another scoring. */
  profile: object;
  k1: number;
  /** The part of a term's score that depends on the document's length. */
  normOf(length: number): number;
  /** What a document's rank is worth. */
  staticOf(rank: number): number;
}

/** Offsets of a list in memory, as assembly/lists.ts has them. */
const LIST_BYTES = 96;
const LIVE = 32;
const POSITIONS = 80;
const PLACES = 88;
const SEGMENT_BYTES = 24;
const WINDOW = 1024;

export interface ResidentSegment {
  readonly segment: OpenSegment;
  /** Where its structure and its bitmap are. */
  readonly at: number;
  readonly bitsAt: number;
  readonly staticMaximum: number;
  /** By where the postings are in the file. */
  readonly lists: Map<number, number>;
}

export interface WantedList {
  resident: ResidentSegment;
  entry: TermEntry;
  withPositions: boolean;
}

/** Runs what reads a segment, and knows what to do if that proves to be damaged. */
export type ReadingSegment = <T>(segment: OpenSegment, read: () => T) => T;

export class ResidentLists {
  readonly #kernel = new SearchKernel();
  readonly #cacheBytes: number;
  #segments: ResidentSegment[] = [];
  #profile: object | null = null;
  #listsAt = Scratch.end;
  #end = Scratch.end;

  constructor(cacheBytes: number) {
    this.#cacheBytes = cacheBytes;
  }

  get kernel(): SearchKernel {
    return this.#kernel;
  }

  /** Brings the columns of these segments in, unless they are there. Lists of others go. */
  attach(segments: readonly OpenSegment[], scoring: Scoring): readonly ResidentSegment[] {
    const held = this.#segments;
    const isSame = held.length === segments.length && held.every(({ segment }, i) => segment === segments[i]);
    if (isSame && this.#profile === scoring.profile) return held;
    this.#profile = scoring.profile;
    this.#end = Scratch.end;
    this.#kernel.calls.setUp(Scratch.histogram, scoring.k1);
    this.#segments = segments.map((segment) => this.#bringColumns(segment, scoring));
    this.#listsAt = this.#end;
    return this.#segments;
  }

  /** The lists of these terms, all in memory at once; null if they are too long for it. */
  bring(wanted: readonly WantedList[], reading: ReadingSegment): number[] | null {
    for (let attempt = 0; attempt < 2; attempt++) {
      const lists = wanted.map(({ resident, entry, withPositions }) =>
        reading(resident.segment, () => this.#bringList(resident, entry, withPositions)),
      );
      if (!lists.includes(0)) return lists;
      this.#empty();
    }
    return null;
  }

  /** Live documents of a list in memory. */
  liveCount(list: number): number {
    return new DataView(this.#kernel.buffer).getUint32(list + LIVE, true);
  }

  #empty(): void {
    for (const { lists } of this.#segments) lists.clear();
    this.#end = this.#listsAt;
  }

  #take(bytes: number): number {
    const at = this.#end;
    this.#end = (at + bytes + 15) & ~15;
    this.#kernel.reserve(this.#end);
    return at;
  }

  #bringColumns(segment: OpenSegment, scoring: Scoring): ResidentSegment {
    const { docCount, table } = segment.reader;
    const at = this.#take(SEGMENT_BYTES);
    const normsAt = this.#take(8 * docCount);
    const fingerprintsAt = this.#take(8 * docCount);
    const staticsAt = segment.ranks ? this.#take(8 * docCount) : 0;
    const windowCount = Math.ceil(docCount / WINDOW);
    const maximaAt = segment.ranks ? this.#take(8 * windowCount) : 0;
    const deletesAt = segment.deletes.size > 0 ? this.#take((docCount >> 3) + 16) : 0;
    const bitsAt = this.#take((docCount >> 3) + 16);
    const { buffer } = this.#kernel;
    const norms = new Float64Array(buffer, normsAt, docCount);
    for (let doc = 0; doc < docCount; doc++) norms[doc] = scoring.normOf(table.lengths[doc]!);
    new BigInt64Array(buffer, fingerprintsAt, docCount).set(table.fingerprints);
    let staticMaximum = 0;
    if (segment.ranks) {
      const statics = new Float64Array(buffer, staticsAt, docCount);
      const maxima = new Float64Array(buffer, maximaAt, windowCount).fill(0);
      for (let doc = 0; doc < docCount; doc++) {
        const score = scoring.staticOf(segment.ranks[doc]!);
        statics[doc] = score;
        maxima[Math.floor(doc / WINDOW)] = Math.max(maxima[Math.floor(doc / WINDOW)]!, score);
        staticMaximum = Math.max(staticMaximum, score);
      }
    }
    if (deletesAt > 0) {
      const deletes = new Uint8Array(buffer, deletesAt, (docCount >> 3) + 16).fill(0);
      segment.deletes.copyTo(deletes);
    }
    this.#kernel.write(at, [normsAt, staticsAt, fingerprintsAt, deletesAt, maximaAt]);
    return { segment, at, bitsAt, staticMaximum, lists: new Map() };
  }

  /** 0 if there is no room. */
  #bringList(resident: ResidentSegment, entry: TermEntry, withPositions: boolean): number {
    const known = resident.lists.get(entry.postingsAt) ?? this.#loadList(resident, entry);
    if (known === 0 || !withPositions) return known;
    const view = new DataView(this.#kernel.buffer);
    if (view.getUint32(known + POSITIONS, true) !== 0) return known;
    return this.#loadPositions(resident, entry, known) ? known : 0;
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#end + bytes <= this.#listsAt + this.#cacheBytes && bytes <= this.#cacheBytes / 2;
  }

  #loadList(resident: ResidentSegment, entry: TermEntry): number {
    const full = Math.floor(entry.docCount / POSTINGS_BLOCK);
    const blocks = Math.ceil(entry.docCount / POSTINGS_BLOCK);
    const tableBytes = LIST_BYTES + 24 * blocks + 16;
    if (!this.#hasRoomFor(tableBytes + entry.postingsBytes)) return 0;
    const at = this.#take(tableBytes);
    const bytesAt = this.#take(entry.postingsBytes + 32);
    const maximaAt = at + LIST_BYTES;
    const lastsAt = maximaAt + 8 * blocks;
    const bodiesAt = lastsAt + 4 * blocks;
    const beforeAt = bodiesAt + 4 * blocks;
    const mixedAt = beforeAt + 4 * blocks;
    new Uint8Array(this.#kernel.buffer, at, LIST_BYTES).fill(0);
    this.#kernel.write(at, [entry.docCount, full, blocks, lastsAt, bodiesAt, maximaAt, beforeAt, mixedAt]);
    const bytes = resident.segment.reader.postingsBytes(entry);
    new Uint8Array(this.#kernel.buffer, bytesAt, bytes.length).set(bytes);
    this.#kernel.calls.prepare(at, bytesAt, resident.at, Scratch.docs, Scratch.frequencies);
    resident.lists.set(entry.postingsAt, at);
    return at;
  }

  #loadPositions(resident: ResidentSegment, entry: TermEntry, list: number): boolean {
    if (!this.#hasRoomFor(2 * entry.positionBytes)) return false;
    const bytes = resident.segment.reader.positionsBytes(entry);
    const bytesAt = this.#take(bytes.length + 32);
    new Uint8Array(this.#kernel.buffer, bytesAt, bytes.length).set(bytes);
    const places = new DataView(this.#kernel.buffer).getUint32(list + PLACES, true);
    const { starts, full } = placesBlocks(bytes, places >= PACKED_COUNT);
    const startsAt = this.#take(4 * starts.length);
    this.#kernel.write(
      startsAt,
      starts.map((start) => bytesAt + start),
    );
    this.#kernel.write(list + POSITIONS, [startsAt, full]);
    return true;
  }
}

/** Where the packed lists of each block of places begin, and the end of the bytes. */
function placesBlocks(bytes: Buffer, hasBlocks: boolean): { starts: number[]; full: number } {
  const starts: number[] = [];
  let at = 0;
  let full = 0;
  while (hasBlocks && at < bytes.length && bytes[at] !== 0) {
    const head = bytes[at]! < 0x80 ? 1 : 2;
    starts.push(at + head);
    at += head + (head === 1 ? bytes[at]! : (bytes[at]! & 0x7f) | (bytes[at + 1]! << 7));
    full++;
  }
  starts.push(hasBlocks ? at + 1 : at, bytes.length);
  return { starts, full };
}
