/** Reads the lines of a file one by one, without loading it into memory. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { CorpusDocument } from './corpus.ts';

const CHUNK_BYTES = 1024 * 1024;
const BATCH_DOCS = 50;

export function* readCorpus(path: string): Generator<CorpusDocument> {
  for (const line of linesOf(path)) yield JSON.parse(line) as CorpusDocument;
}

/**
 * Yields documents in batches, so that the time for reading the corpus is not measured. Batches are small, so
 * that they are garbage-collected while young.
 */
export function* readBatches(path: string): Generator<CorpusDocument[]> {
  let batch: CorpusDocument[] = [];
  for (const document of readCorpus(path)) {
    batch.push(document);
    if (batch.length < BATCH_DOCS) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/**
 * Yields the lines of a file. Only a line feed ends a line; Node's readline would also split at U+2028, which JSON may
 * contain. One buffer is used for the whole file, because discarded buffers would be garbage-collected during the
 * measurement.
 */
export function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  let buffer = Buffer.alloc(CHUNK_BYTES);
  let length = 0;
  for (;;) {
    if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length);
    const count = readSync(file, buffer, length, buffer.length - length, null);
    if (count === 0) break;
    length += count;
    let from = 0;
    for (let end = lineEnd(buffer, from, length); end >= 0; end = lineEnd(buffer, from, length)) {
      yield buffer.toString('utf8', from, end);
      from = end + 1;
    }
    buffer.copyWithin(0, from, length);
    length -= from;
  }
  if (length > 0) yield buffer.toString('utf8', 0, length);
  closeSync(file);
}

/** Returns the end of the line that begins at `from`, or -1 if the line does not end before `limit`. */
function lineEnd(buffer: Buffer, from: number, limit: number): number {
  const end = buffer.indexOf(10, from);
  return end < limit ? end : -1;
}
