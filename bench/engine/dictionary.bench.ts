/**
 * Measures the dictionary of a segment with millions of terms: its size, its memory, and the time of lookups,
 * prefix scans and fuzzy lookups.
 *
 *   npm run bench:dictionary -- [--terms 5000000] [--json]
 *
 * Terms are made of syllables by a seeded generator. The file of the dictionary is in memory. Times are means
 * over a thousand existing terms.
 */
import { parseArgs } from 'node:util';
import { ByteReader, ByteWriter, Random, type RandomFile } from '../../src/base/mod.ts';
import { DictionaryReader } from '../../src/index/dictionary/dictionary-reader.ts';
import { DictionaryWriter } from '../../src/index/dictionary/dictionary-writer.ts';
import { report } from '../report.ts';

const ASKED = 1000;

const { values } = parseArgs({
  options: { terms: { type: 'string', default: '5000000' }, json: { type: 'boolean', default: false } },
});
const count = Number(values.terms);
const random = new Random(1);
const { reader, sizeBytes, asked, heapBytes } = build();
report(
  [
    {
      name: `${count} terms`,
      'MB on disk': sizeBytes / 1e6,
      'MB in memory': heapBytes / 1e6,
      'look-up µs': meanMs(asked, (term) => reader.find(term)) * 1000,
      'beginning µs': meanMs(asked, firstWith) * 1000,
    },
  ],
  {},
  values.json,
);

function build() {
  const terms = makeTerms();
  const asked = Array.from({ length: ASKED }, () => random.pick(terms));
  const writer = new DictionaryWriter();
  let postingsAt = 0;
  for (const term of terms) {
    writer.add({ term, docCount: 3, postingsAt, postingsBytes: 7, positionBytes: 9, forms: null });
    postingsAt += 16;
  }
  terms.length = 0;
  const tables = new ByteWriter();
  writer.writeSamples(tables);
  const bytes = writer.blocks();
  const before = heapUsed();
  const reader = new DictionaryReader(fileOf(bytes), 0, count, new ByteReader(tables.view()));
  return { reader, asked, sizeBytes: bytes.length + tables.length, heapBytes: heapUsed() - before };
}

function makeTerms(): string[] {
  const syllables =
    'ba be bi ca da de du en er fa go he in ka la le lo ma me mi na ne no on or pa pe ra re ri sa se ta te ti to un va ve'.split(
      ' ',
    );
  const terms = new Set<string>();
  while (terms.size < count) {
    terms.add(Array.from({ length: random.between(2, 6) }, () => random.pick(syllables)).join(''));
  }
  return [...terms].sort();
}

function firstWith(prefix: string): void {
  reader.terms(prefix.slice(0, -1)).next();
}

function meanMs(items: readonly string[], run: (item: string) => void): number {
  const start = performance.now();
  for (const item of items) run(item);
  return (performance.now() - start) / items.length;
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

function fileOf(bytes: Buffer): RandomFile {
  const read = (position: number, length: number) => bytes.subarray(position, position + length);
  return { name: 'memory', size: bytes.length, read, close() {} };
}
