/** Reads the counts of queries; see queries-format.ts for the bytes. */
import { ByteReader, type Directory, readSealed } from '../base/mod.ts';
import { QUERIES_KIND, QUERIES_NAME } from './queries-format.ts';

/** Reads how often each query was asked. Returns an empty map if the file does not exist yet. */
export function readQueries(directory: Directory): Map<string, number> {
  if (!directory.has(QUERIES_NAME)) return new Map();
  const reader = new ByteReader(readSealed(directory, QUERIES_NAME, QUERIES_KIND), QUERIES_NAME);
  const counts = new Map<string, number>();
  for (let left = reader.varint(); left > 0; left--) {
    const count = reader.varint();
    counts.set(reader.text(), count);
  }
  return counts;
}
