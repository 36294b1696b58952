/**
 * Measures quality and speed on a web of real pages with judged queries.
 *
 *   npm run bench:realweb -- --dir DIR [--queries FILE] [--judge FILE] [--data DATA] [--only ROW]… [--sample 300] [--json]
 *
 * DIR describes a web that is being served: `gyre.json` is the configuration of the crawl, `seeds.txt` has its seeds.
 * The bench crawls, builds, ranks, embeds and serves it, and measures these rows, or those that `--only` names:
 *
 *   quality      success@1, success@3, acceptable@1, MRR@10 and nDCG@10 by kind of query (measures.ts)
 *   time         the time of the same queries over HTTP, each sent once, after a warm-up with titles of pages;
 *                `cpuMs` is the server's processor time per query
 *   snippets     the share of the results of these queries with a useless snippet (snippets.ts)
 *   lucene       the measures of Lucene on the same pages (lucene.ts)
 *   duplicates   the share of joined pages that are the same page to a person (duplicates.ts)
 *   lost         the share of pages that are not found by their own title (lost-pages.ts)
 *
 * The first four rows need `--queries` (judged-queries.ts) and are left out without this option. `--judge`
 * names a program that judges the server by the same queries; if its figures differ, the bench fails. `--data`
 * keeps the data directory; a data directory that is already complete is used as it is. Samples are the same in
 * every run on the same data.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../src/base/mod.ts';
import { type BenchRow, report } from '../report.ts';
import { quantile } from '../statistics.ts';
import { ArchivedPages } from './archived-pages.ts';
import { checkDuplicates, type DuplicateReport } from './duplicates.ts';
import {
  CommandFailed,
  EngineServer,
  type FoundPage,
  prepareData,
  type StageSeconds,
  type WebData,
} from './engine.ts';
import { readOutcomes, readPages, type UrlOutcome } from './journal-outcomes.ts';
import { disagreements } from './judge.ts';
import { type JudgedQuery, parseJudgedQueries } from './judged-queries.ts';
import { findLostPages, type LostReport, plainQuery } from './lost-pages.ts';
import { type LuceneReport, measureLucene } from './lucene.ts';
import { type KindMeasures, MEASURES, meansByKind } from './measures.ts';
import { sampleOf } from './sample.ts';
import { checkSnippets, type SnippetReport } from './snippets.ts';

const ROWS = ['quality', 'time', 'snippets', 'lucene', 'duplicates', 'lost'] as const;
type Row = (typeof ROWS)[number];
const NEED_QUERIES: ReadonlySet<Row> = new Set(['quality', 'time', 'snippets', 'lucene']);

const SEED = 15;
/** The number of queries before the measurement, which compile the code of the server and fill its postings cache. */
const WARM_UP_QUERIES = 200;

interface Times {
  queries: number;
  p50Ms: number;
  p95Ms: number;
  maxMs: number;
  cpuMs: number;
}

interface Findings {
  seconds: StageSeconds | null;
  quality?: KindMeasures[];
  judge?: string[];
  time?: Times;
  snippets?: SnippetReport;
  lucene?: LuceneReport | null;
  duplicates?: DuplicateReport;
  lost?: LostReport;
}

/** The crawled web, the server of its index, and the rows to measure. */
interface Subject {
  of: WebData;
  wanted: ReadonlySet<Row>;
  outcomes: ReadonlyMap<string, UrlOutcome>;
  server: EngineServer;
}

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    queries: { type: 'string' },
    judge: { type: 'string' },
    data: { type: 'string' },
    only: { type: 'string', multiple: true },
    sample: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
});
const sampleSize = Number(values.sample);

async function main(): Promise<void> {
  const wanted = wantedRows();
  if (values.dir === undefined) return fail('name the directory of the web with --dir DIR');
  if (typeof wanted === 'string') return fail(wanted);
  const data = values.data ?? mkdtempSync(join(tmpdir(), 'gyre-realweb-'));
  try {
    const findings = await measure({ web: resolve(values.dir), data: resolve(data) }, wanted);
    show(findings);
    if (values.json)
      console.log(JSON.stringify({ rows: qualityRows(findings), ratios: ratiosOf(findings), ...findings }));
    if (findings.judge && findings.judge.length > 0) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    fail(error.message);
  } finally {
    if (values.data === undefined) rmSync(data, { recursive: true, force: true });
  }
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 2;
}

/** Returns the rows to measure, or a message if the options contradict each other. */
function wantedRows(): ReadonlySet<Row> | string {
  const unknown = values.only?.find((name) => !ROWS.includes(name as Row));
  if (unknown !== undefined) return `--only takes ${ROWS.join(', ')}, not "${unknown}"`;
  if (!(sampleSize > 0)) return `--sample takes a number above 0, not "${values.sample}"`;
  const wanted = (values.only as Row[] | undefined) ?? ROWS;
  if (values.queries !== undefined) return new Set(wanted);
  const missing = values.only && wanted.find((row) => NEED_QUERIES.has(row));
  return missing
    ? `${missing} needs --queries FILE`
    : new Set(wanted.filter((row) => !NEED_QUERIES.has(row)));
}

async function measure(of: WebData, wanted: ReadonlySet<Row>): Promise<Findings> {
  const seconds = prepareData(of);
  const outcomes = readOutcomes(of.data);
  const server = await EngineServer.start(of);
  const subject: Subject = { of, wanted, outcomes, server };
  let findings: Findings = { seconds };
  try {
    findings = { ...findings, ...(await measureQueries(subject)), ...(await measurePages(subject)) };
  } finally {
    await server.stop();
  }
  return wanted.has('lucene') ? { ...findings, lucene: await measureLucene(of, readQueries()) } : findings;
}

function readQueries(): JudgedQuery[] {
  return parseJudgedQueries(readFileSync(values.queries!, 'utf8'));
}

async function measureQueries(subject: Subject): Promise<Partial<Findings>> {
  const { of, wanted, server } = subject;
  if (!(['quality', 'time', 'snippets'] as const).some((row) => wanted.has(row))) return {};
  const queries = readQueries();
  const { runs, time } = await runQueries(subject, queries);
  const found = runs.map(({ results }) => results.map(({ url }) => url));
  const findings: Partial<Findings> = {};
  if (wanted.has('time')) findings.time = time;
  if (wanted.has('snippets'))
    findings.snippets = checkSnippets(runs, readPages(of.data, new Set(found.flat())));
  if (!wanted.has('quality')) return findings;
  const quality = meansByKind(queries, found);
  if (values.judge === undefined) return { ...findings, quality };
  const judge = await disagreements(values.judge, server.base, values.queries!, quality);
  return { ...findings, quality, judge };
}

async function runQueries({ wanted, server, outcomes }: Subject, queries: readonly JudgedQuery[]) {
  if (wanted.has('time')) await warmUp(server, outcomes);
  const cpuBeforeMs = await server.cpuMs();
  const runs: { query: string; results: FoundPage[]; ms: number }[] = [];
  for (const { query } of queries) runs.push({ query, ...(await server.search(query)) });
  const cpuMs = (await server.cpuMs()) - cpuBeforeMs;
  const times = runs.map(({ ms }) => ms);
  return { runs, time: timesOf(times, cpuMs / runs.length) };
}

async function warmUp(server: EngineServer, outcomes: Subject['outcomes']): Promise<void> {
  const titles = [...outcomes.values()].flatMap((outcome) =>
    outcome.kind === 'page' ? plainQuery(outcome.title) : [],
  );
  const chosen = sampleOf(titles.filter(Boolean), WARM_UP_QUERIES, new Random(SEED + 1));
  for (const title of chosen) await server.search(title);
}

function timesOf(times: readonly number[], cpuMs: number): Times {
  return {
    queries: times.length,
    p50Ms: quantile(times, 0.5),
    p95Ms: quantile(times, 0.95),
    maxMs: Math.max(...times),
    cpuMs,
  };
}

async function measurePages({ of, wanted, outcomes, server }: Subject): Promise<Partial<Findings>> {
  if (!wanted.has('duplicates') && !wanted.has('lost')) return {};
  const pages = new ArchivedPages(of);
  const findings: Partial<Findings> = {};
  if (wanted.has('duplicates'))
    findings.duplicates = await checkDuplicates(server, pages, outcomes, sampleSize, SEED);
  if (wanted.has('lost')) findings.lost = await findLostPages(server, pages, outcomes, sampleSize, SEED);
  pages.close();
  return findings;
}

function qualityRows({ quality = [], lucene }: Findings): BenchRow[] {
  const rowOf = (engine: string, { kind, ...figures }: KindMeasures): BenchRow => ({
    name: `${engine}: ${kind}`,
    ...figures,
  });
  return [
    ...quality.map((means) => rowOf('gyre', means)),
    ...(lucene?.means ?? []).map((means) => rowOf(`lucene, title × ${lucene!.boost}`, means)),
  ];
}

/** Returns the mean measures of Gyre divided by the mean measures of Lucene. */
function ratiosOf({ quality, lucene }: Findings): Record<string, number> {
  const [ours, theirs] = [quality?.at(-1), lucene?.means.at(-1)];
  if (!ours || !theirs) return {};
  return Object.fromEntries(MEASURES.map((name) => [name, ours[name] / theirs[name]]));
}

function show(findings: Findings): void {
  const { seconds, judge, time, snippets, duplicates, lost } = findings;
  if (seconds) report([{ name: 'seconds', ...seconds }], {}, false);
  const quality = qualityRows(findings);
  if (quality.length > 0) section('quality', quality.map(rounded), ratiosOf(findings));
  if (judge) console.log(judge.length === 0 ? 'the judge agrees' : judge.join('\n'));
  if (time) section('time over HTTP, each query once', [{ name: 'gyre', ...time }]);
  if (snippets) showSnippets(snippets);
  if (duplicates) showDuplicates(duplicates);
  if (lost) showLost(lost);
}

function rounded(row: BenchRow): BenchRow {
  const cells = Object.entries(row).map(([column, value]) => {
    const isMean = (MEASURES as readonly string[]).includes(column);
    return [column, isMean ? Number(value).toFixed(3) : value];
  });
  return Object.fromEntries(cells);
}

function section(
  title: string,
  rows: readonly BenchRow[],
  ratios: Readonly<Record<string, number>> = {},
): void {
  console.log(`\n${title}`);
  report(rows, ratios, false);
}

function showSnippets({ results, shares, examples }: SnippetReport): void {
  section('useless snippets, share of results', [{ name: 'gyre', results, ...shares }]);
  for (const { flaw, query, url, snippet } of examples)
    console.log(`  ${flaw}: [${query}] ${url}\n    ${snippet.replace(/\s+/g, ' ')}`);
}

function showDuplicates({ rows, wrong }: DuplicateReport): void {
  section(
    'joined pages that are the same to a person',
    rows.map((row) => ({ ...row })),
  );
  for (const { alias, document, reason, differences } of wrong)
    console.log(`  ${reason}: ${alias} is not ${document}\n    ${differences.join('; ')}`);
}

function showLost({ pages, searched, lost, causes, examples }: LostReport): void {
  section('pages that are not found by their title', [{ name: 'gyre', pages, searched, lost, ...causes }]);
  for (const { url, title, cause } of examples) console.log(`  ${cause}: ${url}\n    ${title}`);
}

await main();
