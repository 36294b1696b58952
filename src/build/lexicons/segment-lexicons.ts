/**
 * Writes the lexicons of segments. The lexicon of a new segment is made from the records of the segment, and
 * the lexicon of a merged segment from the lexicons of its source segments. A missing or damaged lexicon is
 * made again from the stored documents.
 *
 * The manifest names a lexicon together with its segment. If the manifest with this name is never committed,
 * the next index writer removes the lexicon.
 */
import { type Directory, type Log, silentLog } from '../../base/mod.ts';
import {
  type DocSet,
  type IndexWriter,
  type MergeLexicons,
  type SegmentReader,
  sideOrNone,
  TimeSlice,
} from '../../index/mod.ts';
import {
  encodeLexicon,
  type LexiconInput,
  mergeLexicons,
  openSegmentLexicon,
  SegmentLexicon,
  type WordTable,
  writeSegmentLexicon,
} from '../../lexicon/mod.ts';
import { LexiconGatherer } from './lexicon-gatherer.ts';

/**
 * Writes a lexicon for every segment that has none. Returns the number of lexicons written. The caller commits.
 */
export async function addMissingLexicons(
  writer: IndexWriter,
  directory: Directory,
  signal?: AbortSignal,
): Promise<number> {
  let count = 0;
  for (const { reader, entry } of writer.segments.filter(({ entry }) => !entry.lexicon)) {
    const name = writer.lexiconNameOf(entry.file);
    writeSegmentLexicon(directory, name, await gatherSegment(reader, () => true, signal));
    writer.setLexicon(entry.file, name);
    count++;
  }
  return count;
}

/**
 * Removes damaged lexicons from the entries of their segments, so that they are written again. Returns the
 * names of the damaged files.
 */
export function dropDamagedLexicons(writer: IndexWriter, directory: Directory): string[] {
  const damaged: string[] = [];
  for (const { entry, reader } of [...writer.segments]) {
    if (!entry.lexicon || lexiconOrNone(directory, entry.lexicon, reader.docCount, silentLog)) continue;
    damaged.push(entry.lexicon);
    writer.setLexicon(entry.file, null);
  }
  return damaged;
}

/** Returns a function that merges the lexicons of the segments of a merge. */
export function lexiconMerger(directory: Directory, log: Log = silentLog): MergeLexicons {
  return async (plan, inputs, signal) => {
    const merged: LexiconInput[] = [];
    let docCount = 0;
    for (const [i, { reader, deletes, newDocs }] of inputs.entries()) {
      const name = plan.inputs[i]!.lexicon;
      const known = name && lexiconOrNone(directory, name, reader.docCount, log);
      const lexicon = known || asRead(await gatherSegment(reader, () => true, signal));
      merged.push({ lexicon, newDocs, dropped: await wordsOfDeleted(reader, deletes, signal) });
      docCount += reader.docCount - deletes.size;
    }
    writeSegmentLexicon(directory, plan.lexicon, mergeLexicons(merged, docCount));
  };
}

/** Reads the lexicon of a segment. Returns null and logs a warning if the file is damaged or missing. */
export function lexiconOrNone(
  directory: Directory,
  name: string,
  docCount: number,
  log: Log,
): SegmentLexicon | null {
  return sideOrNone('lexicon', name, log, () => openSegmentLexicon(directory, name, docCount));
}

async function wordsOfDeleted(
  reader: SegmentReader,
  deletes: DocSet,
  signal?: AbortSignal,
): Promise<WordTable | null> {
  if (deletes.size === 0) return null;
  return asRead(await gatherSegment(reader, (doc) => deletes.has(doc), signal)).words;
}

/** Builds the lexicon of the chosen documents of a segment from their stored records. */
async function gatherSegment(
  reader: SegmentReader,
  isChosen: (doc: number) => boolean,
  signal?: AbortSignal,
) {
  const gatherer = new LexiconGatherer();
  const timeSlice = new TimeSlice(signal);
  for (let doc = 0; doc < reader.docCount; doc++) {
    if (!isChosen(doc)) continue;
    gatherer.add(reader.storedRecord(doc), reader.row(doc).type, reader.name);
    if (timeSlice.isDue) await timeSlice.pause();
  }
  return gatherer.finish();
}

function asRead(columns: Parameters<typeof encodeLexicon>[0]): SegmentLexicon {
  return new SegmentLexicon(encodeLexicon(columns));
}
