/** The lines of a corpus, one after the other, without holding the file in memory. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { CorpusDocument } from './corpus.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;

export function* readCorpus(path: string): Generator<CorpusDocument> {
  for (const line of linesOf(path)) yield JSON.parse(line) as CorpusDocument;
}

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) {
    const bytes = Buffer.concat([rest, chunk.subarray(0, count)]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield bytes.toString('utf8', from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
  if (rest.length > 0) yield rest.toString();
  closeSync(file);
}
