/**
 * Merges several segments into one, without their deleted documents.
 *
 * First the documents of all inputs are merged in the order of `orderKey`, by which each input is already
 * sorted; this gives every document its new number. Then the terms of all inputs are walked in parallel: the
 * postings of one term are renumbered and merged, and their places are written again. The tables of the inputs
 * and the postings of one term are in memory.
 *
 * The forms of a term are also numbered again, by the number of documents that have them. If some documents are
 * deleted, the places are scanned first, to count the live documents of each form.
 */
import { type Directory, Heap } from '../../base/mod.ts';
import { orderForms, type TermEntry, type WordOfTerm } from '../dictionary/mod.ts';
import type { DocId } from '../document.ts';
import { fieldFormOf } from '../fields.ts';
import { NO_MORE_DOCS, type PostingsCursor, PostingsWriter } from '../postings/mod.ts';
import { type DocSet, type SegmentReader, SegmentWriter } from '../segment/mod.ts';
import { compareStrings, type Head, mergeEntries, mergeTermEntries } from './merge-sorted.ts';
import { TimeSlice } from './time-slice.ts';

export interface MergeInput {
  readonly reader: SegmentReader;
  readonly deletes: DocSet;
}

/**
 * The document numbers of the merged segment, indexed by document number in a source segment; -1 for deleted
 * documents.
 */
type DocMap = Int32Array;

/** Merges segments into a new one. Returns the new numbers of the documents of each input segment. */
export async function mergeSegments(
  directory: Directory,
  name: string,
  inputs: readonly MergeInput[],
  orderKey: (url: string) => string,
  signal?: AbortSignal,
): Promise<DocMap[]> {
  const writer = new SegmentWriter(directory, name);
  try {
    const timeSlice = new TimeSlice(signal);
    const maps = await mergeDocuments(writer, inputs, orderKey, timeSlice);
    const dead = await mergeTerms(writer, inputs, maps, timeSlice);
    await mergeWords(writer, inputs, dead, timeSlice);
    await writer.finish();
    return maps;
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
  timeSlice: TimeSlice,
): Promise<DocMap[]> {
  const maps = inputs.map(({ reader }) => new Int32Array(reader.docCount).fill(-1));
  const heads = new Heap<DocumentHead>((a, b) => a.key < b.key || (a.key === b.key && a.input < b.input));
  const push = (input: number, after: DocId) => {
    const { reader, deletes } = inputs[input]!;
    let doc = after + 1;
    while (doc < reader.docCount && deletes.has(doc)) doc++;
    if (doc === reader.docCount) return;
    heads.push({ input, doc, key: orderKey(reader.url(doc)) });
  };
  for (const input of inputs.keys()) push(input, -1);
  let count = 0;
  for (let head = heads.pop(); head; head = heads.pop()) {
    const { reader } = inputs[head.input]!;
    writer.addDocument(reader.storedRecord(head.doc), reader.row(head.doc));
    maps[head.input]![head.doc] = count++;
    push(head.input, head.doc);
    if (timeSlice.isDue) await timeSlice.pause();
  }
  return maps;
}

async function mergeTerms(
  writer: SegmentWriter,
  inputs: readonly MergeInput[],
  maps: readonly DocMap[],
  timeSlice: TimeSlice,
): Promise<DeadWords> {
  const list = new PostingsWriter();
  const dead = new DeadWords();
  for (const heads of mergeTermEntries(inputs.map(({ reader }) => reader))) {
    const { term } = heads[0]!.entry;
    const { names, numbers } = mergeForms(heads, inputs, dead);
    const lists = heads.map(({ input, entry }, i) => ({
      cursor: inputs[input]!.reader.postingsWithPositions(entry),
      map: maps[input]!,
      forms: numbers[i]!,
    }));
    list.start(names?.length ?? 1);
    mergePostings(list, lists);
    if (list.docCount > 0) writer.addTerm(term, list, names);
    if (timeSlice.isDue) await timeSlice.pause();
  }
  return dead;
}

function namesOf({ term, forms }: TermEntry): string[] {
  return forms?.map(({ word }) => word) ?? [term];
}

interface MergedForms {
  names: readonly string[] | null;
  /** For each input segment, the new form numbers of the term by old form number. */
  numbers: ArrayLike<number>[];
}

const ONE_FORM: readonly number[] = [0];

/**
 * Merges the forms of a term over all source segments. If no source segment has a form other than the term
 * itself, the documents of the forms need not be counted.
 */
function mergeForms(
  heads: readonly Head<TermEntry>[],
  inputs: readonly MergeInput[],
  dead: DeadWords,
): MergedForms {
  if (heads.every(({ entry }) => entry.forms === null))
    return { names: null, numbers: heads.map(() => ONE_FORM) };
  const { term } = heads[0]!.entry;
  const counts = new Map<string, number>();
  for (const { input, entry } of heads) {
    const live = liveFormCounts(entry, inputs[input]!);
    for (const [form, name] of namesOf(entry).entries())
      counts.set(name, (counts.get(name) ?? 0) + live[form]!);
  }
  dead.note(term, counts);
  const all = [...counts.keys()];
  const { names, numbers } = orderForms(term, all, [...counts.values()]);
  const numberOf = new Map(all.map((name, i) => [name, numbers[i]!]));
  return { names, numbers: heads.map(({ entry }) => namesOf(entry).map((name) => numberOf.get(name)!)) };
}

/** Returns, for each form of a term, the number of live documents that contain this form. */
function liveFormCounts(entry: TermEntry, { reader, deletes }: MergeInput): Uint32Array {
  const known = entry.forms?.map(({ docCount }) => docCount) ?? [entry.docCount];
  if (deletes.size === 0) return Uint32Array.from(known);
  const counts = new Uint32Array(known.length);
  const cursor = reader.postingsWithPositions(entry);
  for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
    if (deletes.has(doc)) continue;
    const forms = known.length > 1 ? new Set(cursor.places().map(fieldFormOf)) : [0];
    for (const form of forms) counts[form]!++;
  }
  return counts;
}

/** Collects words without a live document. The merged segment leaves them out. */
class DeadWords {
  readonly #dead = new Set<string>();

  note(term: string, docCounts: ReadonlyMap<string, number>): void {
    for (const [word, count] of docCounts) if (count === 0) this.#dead.add(`${word}\0${term}`);
  }

  has({ word, term }: WordOfTerm): boolean {
    return this.#dead.has(`${word}\0${term}`);
  }
}

const compareWords = (a: WordOfTerm, b: WordOfTerm): number =>
  compareStrings(a.word, b.word) || compareStrings(a.term, b.term);

async function mergeWords(
  writer: SegmentWriter,
  inputs: readonly MergeInput[],
  dead: DeadWords,
  timeSlice: TimeSlice,
): Promise<void> {
  const walks = inputs.map(({ reader }) => reader.wordsOfTerms());
  for (const [head] of mergeEntries(walks, compareWords)) {
    if (!dead.has(head!.entry)) writer.addWord(head!.entry);
    if (timeSlice.isDue) await timeSlice.pause();
  }
}

interface MappedList {
  cursor: PostingsCursor;
  map: DocMap;
  /** The new form numbers by the form numbers of the input segment. */
  forms: ArrayLike<number>;
}

/**
 * Merges the postings of a term. New document numbers ascend within each source list, so the next posting is
 * always taken from the list with the least next document.
 */
function mergePostings(list: PostingsWriter, lists: readonly MappedList[]): void {
  const docs = lists.map(nextMapped);
  for (;;) {
    let least = 0;
    for (let i = 1; i < docs.length; i++) if (docs[i]! < docs[least]!) least = i;
    const doc = docs[least]!;
    if (doc === NO_MORE_DOCS) return;
    const { cursor, forms } = lists[least]!;
    cursor.copyPlaces(list, doc, forms);
    list.endDocument();
    docs[least] = nextMapped(lists[least]!);
  }
}

/** Moves a cursor to its next live document, and returns the number of that document in the merged segment. */
function nextMapped({ cursor, map }: MappedList): DocId {
  for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
    if (map[doc]! >= 0) return map[doc]!;
  }
  return NO_MORE_DOCS;
}
