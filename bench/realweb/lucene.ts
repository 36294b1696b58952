/**
 * Measures Lucene for comparison: BM25 over title and text of the pages that `gyre export` writes. The weight
 * (boost) of the title is the one that gives the best nDCG@10 on the same queries. Lucene is Debian's
 * `liblucene8-java`.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { runGyre, type WebData } from './engine.ts';
import type { JudgedQuery } from './judged-queries.ts';
import { type KindMeasures, meansByKind } from './measures.ts';

export interface LuceneReport {
  boost: number;
  means: KindMeasures[];
}

const JARS = '/usr/share/java';
const BOOSTS = [1, 2, 3, 5, 8, 12];
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Measures Lucene on the pages of a data directory. Returns null if Lucene is not installed. */
export async function measureLucene(
  of: WebData,
  queries: readonly JudgedQuery[],
): Promise<LuceneReport | null> {
  const jars = luceneJars();
  if (!jars) {
    console.error('Lucene is not installed (apt-get install liblucene8-java): its row is left out');
    return null;
  }
  const work = mkdtempSync(join(tmpdir(), 'gyre-lucene-'));
  try {
    const [pages, asked] = [join(work, 'pages'), join(work, 'queries')];
    await writePages(of, work, pages);
    writeFileSync(asked, queries.map(({ query }) => `${query}\n`).join(''));
    const harness = join(import.meta.dirname, 'lucene', 'LuceneTitles.java');
    const args = ['-Xmx2g', '-cp', jars, harness, pages, asked, join(work, 'index'), ...BOOSTS.map(String)];
    const output = execFileSync('java', args, { encoding: 'utf8', maxBuffer: MAX_OUTPUT_BYTES });
    return bestBoost(output.split('\n'), queries, BOOSTS);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function luceneJars(): string | null {
  if (!existsSync(JARS)) return null;
  const names = readdirSync(JARS).filter((name) =>
    /^lucene-(?:core|analyzers-common)-8[.\d]*\.jar$/.test(name),
  );
  return names.length === 2 ? names.map((name) => join(JARS, name)).join(':') : null;
}

/** Writes the pages to a file, three lines for each: URL, title and text. */
async function writePages(of: WebData, work: string, file: string): Promise<void> {
  const exported = join(work, 'pages.jsonl');
  runGyre(of, 'export', '--out', exported);
  const output = createWriteStream(file);
  for await (const line of createInterface({ input: createReadStream(exported) })) {
    const { url, title, text } = JSON.parse(line);
    const lines = [url, title, text].map((value: string) => `${value.replace(/[\r\n]+/g, ' ')}\n`);
    if (!output.write(lines.join(''))) await once(output, 'drain');
  }
  output.end();
  await once(output, 'finish');
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
