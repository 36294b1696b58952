/** Writes the buffered documents as a segment, together with its lexicon. */
import type { Directory } from '../base/mod.ts';
import type { IndexWriter, SegmentBuffer } from '../index/mod.ts';
import { writeSegmentLexicon } from '../lexicon/mod.ts';
import type { NewSegment } from './apply-ranks.ts';
import type { LexiconGatherer } from './lexicons/mod.ts';
import { orderKey } from './order.ts';

/**
 * Writes a segment and its lexicon, and empties the buffer. Both files are durable when the promise is
 * fulfilled. The caller adds them to the manifest.
 */
export async function writeSegment(
  writer: IndexWriter,
  directory: Directory,
  buffer: SegmentBuffer,
  gatherer: LexiconGatherer,
  signal?: AbortSignal,
): Promise<NewSegment> {
  const name = writer.reserveName();
  const lexicon = writer.lexiconNameOf(name);
  gatherer.clear();
  await buffer.write(directory, name, orderKey, signal, (record, type) => gatherer.add(record, type, name));
  writeSegmentLexicon(directory, lexicon, gatherer.finish());
  buffer.clear();
  return { name, lexicon };
}
