/**
 * Measures the quality of spelling correction with queries of up to four words from titles, each once with a
 * simulated error (typing-noise.ts) and once unchanged. Counts the errors that are corrected to the intended
 * query, and the correct queries that are changed.
 *
 *   npm run bench:spelling -- [--corpus FILE] [--segments 12] [--count 1000] [--seed 1] [--misses 20] [--json]
 *
 * The documents are divided among segments, as in an index. The documents come from the installed npm packages,
 * or from a corpus of `npm run bench:engine`.
 */
import { parseArgs } from 'node:util';
import { readCorpus } from '../engine/read-corpus.ts';
import { report } from '../report.ts';
import { installedDocs } from './installed-docs.ts';
import { type BenchDocument, measureSpelling } from './measure.ts';

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    segments: { type: 'string', default: '12' },
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    misses: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
});

const documents = values.corpus === undefined ? installedDocs() : fromCorpus(values.corpus);
const figures = measureSpelling(
  documents,
  Number(values.count),
  Number(values.seed),
  Number(values.segments),
);
const { words, errors, right, correct, changed, meanMs, p99Ms } = figures;
for (const miss of figures.misses.slice(0, Number(values.misses))) console.log(miss);
report(
  [{ name: values.corpus ?? 'installed packages', words, errors, right, correct, changed, meanMs, p99Ms }],
  {
    'errors corrected rightly (at least 0.85)': right / errors,
    'correct queries changed (at most 0.01)': changed / correct,
  },
  values.json,
);

function* fromCorpus(path: string): Generator<BenchDocument> {
  for (const { title, body } of readCorpus(path)) yield { title, text: body };
}
