/** Writes the counts of queries; see queries-format.ts for the bytes. */
import { ByteWriter, type Directory, writeSealed } from '../base/mod.ts';
import { QUERIES_KIND, QUERIES_NAME } from './queries-format.ts';

export function writeQueries(directory: Directory, counts: ReadonlyMap<string, number>): void {
  const body = new ByteWriter();
  body.varint(counts.size);
  for (const [query, count] of counts) {
    body.varint(count);
    body.text(query);
  }
  writeSealed(directory, QUERIES_NAME, QUERIES_KIND, body.view());
}
