/**
 * After a merge of segments, merges their anchor lists into the anchor lists of the merged segment.
 *
 * The terms of all inputs are walked in parallel, so only the postings of one term are in memory. The anchor
 * lists are merged when the merged segment is adopted, not while it is written, because a rank run may have
 * replaced the anchor lists of the sources in the meantime.
 */
import type { Directory } from '../../base/mod.ts';
import type { TermEntry } from '../dictionary/mod.ts';
import type { DocId } from '../document.ts';
import { compareStrings, mergeEntries } from '../merging/mod.ts';
import { NO_MORE_DOCS, PostingsWriter } from '../postings/mod.ts';
import type { AnchorLists } from './anchor-lists-reader.ts';
import { AnchorListsWriter } from './anchor-lists-writer.ts';

export interface AnchorInput {
  lists: AnchorLists;
  /**
   * Returns the number that a document of this source segment has in the merged segment, or -1 if it is
   * deleted.
   */
  newDocOf(doc: DocId): DocId;
}

interface Posting {
  doc: DocId;
  frequency: number;
  places: readonly number[];
}

/**
 * Merges anchor lists. Returns false, and writes nothing, if no document of the merged segment has anchor text.
 */
export function mergeAnchorLists(
  directory: Directory,
  name: string,
  docCount: number,
  inputs: readonly AnchorInput[],
): boolean {
  const writer = new AnchorListsWriter();
  const list = new PostingsWriter();
  const walks = inputs.map(({ lists }) => lists.terms());
  let isEmpty = true;
  for (const heads of mergeEntries(walks, (a, b) => compareStrings(a.term, b.term))) {
    const postings = heads.flatMap(({ input, entry }) => postingsOf(inputs[input]!, entry));
    if (postings.length === 0) continue;
    isEmpty = false;
    list.start(1);
    for (const posting of postings.sort((a, b) => a.doc - b.doc)) addPosting(list, posting);
    writer.addTerm(heads[0]!.entry.term, list);
  }
  if (!isEmpty) writer.finish(directory, name, mergedVotes(docCount, inputs));
  return !isEmpty;
}

function postingsOf({ lists, newDocOf }: AnchorInput, entry: TermEntry): Posting[] {
  const postings: Posting[] = [];
  const cursor = lists.postings(entry);
  for (let at = cursor.advance(); at !== NO_MORE_DOCS; at = cursor.advance()) {
    const doc = newDocOf(at);
    if (doc >= 0) postings.push({ doc, frequency: cursor.frequency, places: cursor.places() });
  }
  return postings;
}

/**
 * Adds a posting with its positions. The stored frequency of the posting, a sum of weights, is copied, because
 * the weights of single occurrences are not stored.
 */
function addPosting(list: PostingsWriter, { doc, frequency, places }: Posting): void {
  for (const place of places) list.addPlace(doc, place, 0);
  list.endDocument(frequency);
}

function mergedVotes(docCount: number, inputs: readonly AnchorInput[]): Uint16Array {
  const votes = new Uint16Array(docCount);
  for (const { lists, newDocOf } of inputs) {
    for (const [doc, own] of lists.votes.entries()) if (newDocOf(doc) >= 0) votes[newDocOf(doc)] = own;
  }
  return votes;
}
