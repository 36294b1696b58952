/**
 * Loads a list of postings into the search kernel's memory; assembly/lists.ts describes its layout there.
 *
 * A list with a sixteenth of the segment's documents or more becomes a bitmap with one bit per document of the
 * segment. It takes two to four times as much room as packed blocks, but any 64 documents of it are read as one
 * number. Few lists are bitmaps, but queries use them most. In an index of 20,000 pages of software
 * documentation, 800 of 300,000 lists are bitmaps; they have half of all postings, and two thirds of the words
 * in queries use them.
 */
import type { TermEntry } from '../dictionary/mod.ts';
import { type KernelHeap, Scratch, type SearchKernel } from '../kernels/mod.ts';
import { PACKED_COUNT } from './packing.ts';
import { POSTINGS_BLOCK } from './postings-format.ts';
import type { TermLists } from './term-lists.ts';

export const RANGE_DOCS = 64;

/** A postings list is stored as a bitmap if it contains at least one in this many documents of the segment. */
const SPARSE = 16;
/**
 * The maximum number of ranges per document of a list with a table of maximum scores. A range is 64 documents
 * of the segment. A list with fewer documents has no such table.
 */
const RANGES_PER_DOC = 16;

/**
 * The size in bytes of the structure of a postings list in memory. The next constants are byte offsets in this
 * structure.
 */
const LIST_BYTES = 96;
const TABLES = 12;
const POSITIONS = 44;
const PLACES = 56;
/** Number of bytes to allocate after packed data, because unpacking reads past its end. */
const AHEAD_BYTES = 32;

/** The segment and file from which a postings list is read, and the memory to which it is written. */
interface ListSource {
  kernel: SearchKernel;
  heap: KernelHeap;
  /** The address of the segment's structure in the kernel's memory. */
  segmentAt: number;
  /** The source of the postings list: the texts of pages, or the anchor texts. */
  lists: TermLists;
}

/** Returns the maximum memory in bytes that a postings list will take. */
export function listBytes({ docCount, postingsBytes }: TermEntry, lists: TermLists): number {
  const ranges = rangesOf(lists);
  const packed = LIST_BYTES + blockTableBytes(docCount) + postingsBytes + ranges + 256;
  return isBits(docCount, lists) ? packed + 12 * ranges + 2 * docCount : packed;
}

export function placesBytes({ docCount, positionBytes }: TermEntry): number {
  return 4 * docCount + positionBytes + 4 * Math.ceil(positionBytes / 8) + 256;
}

/** Loads a list of postings, and returns its address. */
export function loadList(source: ListSource, entry: TermEntry): number {
  return (isBits(entry.docCount, source.lists) && loadBits(source, entry)) || loadBlocks(source, entry);
}

export function rangesOf({ docCount }: TermLists): number {
  return Math.ceil(docCount / RANGE_DOCS);
}

function isBits(docCount: number, lists: TermLists): boolean {
  return docCount * SPARSE >= lists.docCount;
}

/**
 * Loads a postings list as a bitmap, and returns its address. Returns 0 if a frequency is too high for a bitmap
 * list.
 */
function loadBits(source: ListSource, entry: TermEntry): number {
  const { kernel, heap, lists } = source;
  const ranges = rangesOf(lists);
  const at = heap.takeZeros(LIST_BYTES);
  const maximaAt = heap.takeZeros(ranges + 16);
  const bitsAt = heap.takeZeros(8 * ranges);
  const ranksAt = heap.take(4 * ranges);
  const frequenciesAt = heap.take(2 * entry.docCount);
  const bytesAt = borrowBlocks(source, at, entry);
  kernel.write(at + TABLES + 12, [maximaAt, bitsAt, ranksAt, frequenciesAt]);
  if (prepare(source, at, bytesAt)) return at;
  heap.releaseTo(at);
  return 0;
}

function loadBlocks(source: ListSource, entry: TermEntry): number {
  const { kernel, heap, lists } = source;
  const ranges = rangesOf(lists);
  const at = heap.takeZeros(LIST_BYTES);
  const maximaAt = entry.docCount * RANGES_PER_DOC >= ranges ? heap.takeZeros(ranges + 16) : 0;
  const tablesAt = heap.take(blockTableBytes(entry.docCount));
  const bytesAt = heap.take(entry.postingsBytes + AHEAD_BYTES);
  writeBlocks(source, at, tablesAt, bytesAt, entry);
  kernel.write(at + TABLES + 12, [maximaAt]);
  prepare(source, at, bytesAt);
  return at;
}

function prepare({ kernel, segmentAt }: ListSource, at: number, bytesAt: number): boolean {
  return kernel.calls.prepare(at, bytesAt, segmentAt, Scratch.docs, Scratch.frequencies) !== 0;
}

/** Copies the packed blocks of a postings list to temporary memory, and returns their address. */
function borrowBlocks(source: ListSource, at: number, entry: TermEntry): number {
  const tableBytes = blockTableBytes(entry.docCount);
  const tablesAt = source.heap.borrow(tableBytes + entry.postingsBytes + AHEAD_BYTES);
  writeBlocks(source, at, tablesAt, tablesAt + tableBytes, entry);
  return tablesAt + tableBytes;
}

/**
 * Copies the packed blocks of a postings list into memory. Sets the number of blocks and the addresses of the
 * block tables in the structure of the list, which is at the address `at`.
 */
function writeBlocks(
  { kernel, lists }: ListSource,
  at: number,
  tablesAt: number,
  bytesAt: number,
  entry: TermEntry,
): void {
  const { docCount } = entry;
  const blocks = Math.ceil(docCount / POSTINGS_BLOCK);
  const full = Math.floor(docCount / POSTINGS_BLOCK);
  kernel.write(at, [docCount, full, blocks, tablesAt, tablesAt + 4 * blocks, tablesAt + 8 * blocks]);
  kernel.writeBytes(bytesAt, lists.postingsBytes(entry));
}

/**
 * Returns the size in bytes of the block tables of a postings list. They have, for each block, its last
 * document, its start address, and whether it is mixed (see postings-format.ts).
 */
function blockTableBytes(docCount: number): number {
  return (9 * Math.ceil(docCount / POSTINGS_BLOCK) + 15) & ~15;
}

/** Loads the places (occurrences of the term) of a list whose postings are already in memory. */
export function loadPlaces(source: ListSource, entry: TermEntry, list: number): void {
  const { kernel, heap, lists } = source;
  const isPacked = !isBitsAt(kernel, list);
  const bytes = lists.positionsBytes(entry);
  const bytesAt = heap.take(bytes.length + AHEAD_BYTES);
  kernel.writeBytes(bytesAt, bytes);
  const countsAt = heap.take(4 * (entry.docCount + 1));
  kernel.write(list + POSITIONS + 8, [countsAt]);
  const postingsAt = isPacked ? 0 : borrowBlocks(source, list, entry);
  kernel.calls.countPlaces(list, postingsAt, Scratch.docs, Scratch.frequencies, Scratch.counts);
  const { starts, full } = placesBlocks(bytes, kernel.read(list + PLACES) >= PACKED_COUNT);
  const startsAt = heap.take(4 * starts.length);
  for (let block = 0; block < starts.length; block++) starts[block]! += bytesAt;
  kernel.write(startsAt, starts);
  kernel.write(list + POSITIONS, [startsAt, full]);
}

function isBitsAt(kernel: SearchKernel, list: number): boolean {
  return kernel.read(list + TABLES + 16) !== 0;
}

/**
 * Returns the byte offset of each block of places, and the end of the last block. `full` is the number of
 * blocks with 128 places.
 */
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
