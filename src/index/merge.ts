/**
 * Several segments become one, without their deleted documents.
 *
 * Documents are taken in order of `orderKey`, as each input has them, which gives every old document its new
 * number. Then the terms of all inputs are walked side by side; the postings of one term are renumbered and
 * merged, their places written anew. In memory are the tables of the inputs and one term's postings.
 */
import { type Directory, Heap } from '../base/mod.ts';
import { Breather } from './breather.ts';
import type { TermEntry } from './dictionary-format.ts';
import type { DocSet } from './doc-set.ts';
import type { DocId } from './document.ts';
import { NO_MORE_DOCS } from './postings-format.ts';
import type { PostingsCursor } from './postings-reader.ts';
import { PostingsWriter } from './postings-writer.ts';
import type { SegmentReader } from './segment-reader.ts';
import { SegmentWriter } from './segment-writer.ts';
import { urlOfRecord } from './stored-record.ts';

export interface MergeInput {
  readonly reader: SegmentReader;
  readonly deletes: DocSet;
  readonly ranks: Float32Array | null;
}

export interface MergeResult {
  docCount: number;
  /** The inputs' ranks under the new numbers; null if no input had any. */
  ranks: Float32Array | null;
}

/** Per input: the new number of each document, or -1 if it is deleted. */
type DocMap = Int32Array;

export async function mergeSegments(
  directory: Directory,
  name: string,
  inputs: readonly MergeInput[],
  orderKey: (url: string) => string,
  signal?: AbortSignal,
): Promise<MergeResult> {
  const writer = new SegmentWriter(directory, name);
  try {
    const breather = new Breather(signal);
    const maps = await mergeDocuments(writer, inputs, orderKey, breather);
    await mergeTerms(writer, inputs, maps, breather);
    await writer.finish();
    return mergeRanks(inputs, maps);
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

interface DocumentHead {
  input: number;
  doc: DocId;
  key: string;
}

async function mergeDocuments(
  writer: SegmentWriter,
  inputs: readonly MergeInput[],
  orderKey: (url: string) => string,
  breather: Breather,
): Promise<DocMap[]> {
  const maps = inputs.map(({ reader }) => new Int32Array(reader.docCount).fill(-1));
  const heads = new Heap<DocumentHead>((a, b) => a.key < b.key || (a.key === b.key && a.input < b.input));
  const push = (input: number, after: DocId) => {
    const { reader, deletes } = inputs[input]!;
    let doc = after + 1;
    while (doc < reader.docCount && deletes.has(doc)) doc++;
    if (doc === reader.docCount) return;
    heads.push({ input, doc, key: orderKey(urlOfRecord(reader.storedRecord(doc), reader.name)) });
  };
  for (const input of inputs.keys()) push(input, -1);
  let count = 0;
  for (let head = heads.pop(); head; head = heads.pop()) {
    const { reader } = inputs[head.input]!;
    writer.addDocument(reader.storedRecord(head.doc), reader.row(head.doc));
    maps[head.input]![head.doc] = count++;
    push(head.input, head.doc);
    if (breather.isDue) await breather.breathe();
  }
  return maps;
}

export interface TermHead {
  input: number;
  entry: TermEntry;
  rest: Generator<TermEntry>;
}

async function mergeTerms(
  writer: SegmentWriter,
  inputs: readonly MergeInput[],
  maps: readonly DocMap[],
  breather: Breather,
): Promise<void> {
  const list = new PostingsWriter();
  for (const heads of alignedTerms(inputs)) {
    const lists = heads.map(({ input, entry }) => ({
      cursor: inputs[input]!.reader.postingsWithPositions(entry),
      map: maps[input]!,
    }));
    mergePostings(list, lists);
    if (list.docCount > 0) writer.addTerm(heads[0]!.entry.term, list);
    if (breather.isDue) await breather.breathe();
  }
}

/** For each term, ascending, the inputs that have it. */
export function* alignedTerms(inputs: readonly Pick<MergeInput, 'reader'>[]): Generator<TermHead[]> {
  const heap = new Heap<TermHead>((a, b) => a.entry.term < b.entry.term);
  const push = (input: number, rest: Generator<TermEntry>) => {
    const { value, done } = rest.next();
    if (!done) heap.push({ input, entry: value, rest });
  };
  for (const [input, { reader }] of inputs.entries()) push(input, reader.terms());
  while (heap.size > 0) {
    const heads: TermHead[] = [];
    const { term } = heap.peek()!.entry;
    while (heap.peek()?.entry.term === term) heads.push(heap.pop()!);
    yield heads;
    for (const { input, rest } of heads) push(input, rest);
  }
}

interface MappedList {
  cursor: PostingsCursor;
  map: DocMap;
}

/** New numbers ascend within each input, so the least head is always next. */
function mergePostings(list: PostingsWriter, lists: readonly MappedList[]): void {
  const docs = lists.map(nextMapped);
  for (;;) {
    let least = 0;
    for (let i = 1; i < docs.length; i++) if (docs[i]! < docs[least]!) least = i;
    const doc = docs[least]!;
    if (doc === NO_MORE_DOCS) return;
    const { cursor } = lists[least]!;
    for (const place of cursor.places()) list.addPlace(place);
    list.add(doc);
    docs[least] = nextMapped(lists[least]!);
  }
}

/** The new number of the cursor's next live document. */
function nextMapped({ cursor, map }: MappedList): DocId {
  for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
    if (map[doc]! >= 0) return map[doc]!;
  }
  return NO_MORE_DOCS;
}

function mergeRanks(inputs: readonly MergeInput[], maps: readonly DocMap[]): MergeResult {
  const docCount = inputs.reduce((sum, { reader, deletes }) => sum + reader.docCount - deletes.size, 0);
  if (inputs.every(({ ranks }) => ranks === null)) return { docCount, ranks: null };
  const merged = new Float32Array(docCount);
  for (const [input, { ranks }] of inputs.entries()) {
    for (const [doc, to] of maps[input]!.entries()) if (to >= 0) merged[to] = ranks?.[doc] ?? 0;
  }
  return { docCount, ranks: merged };
}
