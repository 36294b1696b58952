/**
 * Anchor lists of several segments become those of the segment that these were merged into.
 *
 * Their terms are walked side by side; in memory is what one term has. It is done when the merged segment is adopted, not
 * while it is made: what links say may have been learned anew meanwhile.
 */
import type { Directory } from '../base/mod.ts';
import { aligned, compareStrings } from './aligned.ts';
import type { AnchorLists } from './anchor-lists-reader.ts';
import { AnchorListsWriter } from './anchor-lists-writer.ts';
import type { TermEntry } from './dictionary-format.ts';
import type { DocId } from './document.ts';
import { NO_MORE_DOCS } from './postings-format.ts';
import { PostingsWriter } from './postings-writer.ts';

export interface AnchorInput {
  lists: AnchorLists;
  /** The new number of each document, or -1 if it is deleted. */
  newDocOf(doc: DocId): DocId;
}

interface Posting {
  doc: DocId;
  frequency: number;
  places: readonly number[];
}

/** False if no document of the merged segment has anchors. */
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
  for (const heads of aligned(walks, (a, b) => compareStrings(a.term, b.term))) {
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

/** Which of the places weighs how much is forgotten: only their sum is written. */
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
