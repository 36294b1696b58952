/**
 * Several segments become one, without their deleted documents.
 *
 * Documents are taken in order of `orderKey`, as each input has them, which gives every old document its new
 * number. Then the terms of all inputs are walked side by side; the postings of one term are renumbered and
 * merged, their places written anew. In memory are the tables of the inputs and one term's postings.
 *
 * The forms of a term are numbered anew as well, by how many documents have them. Where documents are deleted, that
 * takes a walk over their places before they are written.
 */
import { type Directory, Heap } from '../base/mod.ts';
import { aligned, alignedTerms, compareStrings, type Head } from './aligned.ts';
import { Breather } from './breather.ts';
import type { TermEntry, WordOfTerm } from './dictionary-format.ts';
import type { DocSet } from './doc-set.ts';
import type { DocId } from './document.ts';
import { formOf } from './fields.ts';
import { orderForms } from './forms.ts';
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
    const dead = await mergeTerms(writer, inputs, maps, breather);
    await mergeWords(writer, inputs, dead, breather);
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

async function mergeTerms(
  writer: SegmentWriter,
  inputs: readonly MergeInput[],
  maps: readonly DocMap[],
  breather: Breather,
): Promise<DeadWords> {
  const list = new PostingsWriter();
  const dead = new DeadWords();
  for (const heads of alignedTerms(inputs.map(({ reader }) => reader))) {
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
    if (breather.isDue) await breather.breathe();
  }
  return dead;
}

function namesOf({ term, forms }: TermEntry): string[] {
  return forms?.map(({ word }) => word) ?? [term];
}

interface MergedForms {
  names: readonly string[] | null;
  /** For each input, the new numbers of its forms. */
  numbers: ArrayLike<number>[];
}

const ONE_FORM: readonly number[] = [0];

/** Most terms are their own only form everywhere. */
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

/** In how many live documents each form of a term is. */
function liveFormCounts(entry: TermEntry, { reader, deletes }: MergeInput): Uint32Array {
  const known = entry.forms?.map(({ docCount }) => docCount) ?? [entry.docCount];
  if (deletes.size === 0) return Uint32Array.from(known);
  const counts = new Uint32Array(known.length);
  const cursor = reader.postingsWithPositions(entry);
  for (let doc = cursor.advance(); doc !== NO_MORE_DOCS; doc = cursor.advance()) {
    if (deletes.has(doc)) continue;
    const forms = known.length > 1 ? new Set(cursor.places().map(formOf)) : [0];
    for (const form of forms) counts[form]!++;
  }
  return counts;
}

/** What is left of no live document, to be left out of the words. */
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
  breather: Breather,
): Promise<void> {
  const walks = inputs.map(({ reader }) => reader.wordsOfTerms());
  for (const [head] of aligned(walks, compareWords)) {
    if (!dead.has(head!.entry)) writer.addWord(head!.entry);
    if (breather.isDue) await breather.breathe();
  }
}

interface MappedList {
  cursor: PostingsCursor;
  map: DocMap;
  /** By the input's number of a form, the new one. */
  forms: ArrayLike<number>;
}

/** New numbers ascend within each input, so the least head is always next. */
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
