/**
 * Measures Lucene for comparison: BM25 over title and text of the pages that `gyre export` writes. The weight
 * (boost) of the title is the one that gives the best nDCG@10 on the same queries. Lucene is Debian's
 * `liblucene8-java`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { indexPages, luceneJars, runLucene } from '../lucene/lucene.ts';
import { runGyre, type WebData } from './engine.ts';
import type { JudgedQuery } from './judged-queries.ts';
import { type KindMeasures, meansByKind } from './measures.ts';

export interface LuceneReport {
  boost: number;
  means: KindMeasures[];
}

const BOOSTS = [1, 2, 3, 5, 8, 12];

/** Measures Lucene on the pages of a data directory. Returns null if Lucene is not installed. */
export async function measureLucene(
  of: WebData,
  queries: readonly JudgedQuery[],
): Promise<LuceneReport | null> {
  const jars = luceneJars();
  if (!jars) return null;
  const work = mkdtempSync(join(tmpdir(), 'gyre-lucene-'));
  try {
    const [pages, asked, index] = [join(work, 'pages.jsonl'), join(work, 'queries'), join(work, 'index')];
    runGyre(of, 'export', '--out', pages);
    await indexPages(jars, pages, index);
    writeFileSync(asked, queries.map(({ query }) => `${query}\n`).join(''));
    const output = runLucene(jars, 'rank', index, asked, ...BOOSTS.map(String));
    return bestBoost(output.split('\n'), queries, BOOSTS);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Returns the report of the boost with the best nDCG@10. `lines` has one line per query for the first boost, then one
 * per query for the next boost, and so on. A line has the URLs of the results, separated by spaces.
 */
export function bestBoost(
  lines: readonly string[],
  queries: readonly JudgedQuery[],
  boosts: readonly number[],
): LuceneReport {
  const reports = boosts.map((boost, at): LuceneReport => {
    const part = lines.slice(at * queries.length, (at + 1) * queries.length);
    const runs = part.map((line) => line.split(' '));
    return { boost, means: meansByKind(queries, runs) };
  });
  const quality = ({ means }: LuceneReport) => means.at(-1)!['nDCG@10'];
  return reports.reduce((best, report) => (quality(report) > quality(best) ? report : best));
}
