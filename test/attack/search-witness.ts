/**
 * Measures searches while hostile clients attack the server. The index is built once, from a crawl of a small
 * web that also has hostile pages; each attack gets its own server.
 *
 *   start the server -> warm it -> probe alone -> probe beside the attack -> SIGINT, still beside the attack
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../../src/base/mod.ts';
import { startWeb } from '../../src/synthetic-web/server.ts';
import { Gyre, gyre } from '../helpers/gyre.ts';
import { archivedCounts, writeConfig } from '../helpers/synthetic-crawl.ts';
import type { Form, HostileClient, Target } from './attack.ts';
import { type RunningClient, startHostileClient } from './attacker.ts';
import { findFreePort, listenBelowEphemeral } from './free-port.ts';
import { htmlPage, sendHtml, sendMissing } from './hostile-pages.ts';
import { slowPdf } from './hosts/pdf-slow.ts';
import { type ProbeReport, probe } from './probe.ts';
import { interrupt, isRunning, peakMegabytes } from './program.ts';

export interface SearchedData {
  directory: string;
  slowPdfs: string[];
  largePage: string;
  /** An endless sequence of queries that have results. Each query is a rare word and a common word. */
  words: Iterator<string>;
  remove(): void;
}

export interface ServeReport {
  alone: ProbeReport;
  attacked: ProbeReport;
  aloneMb: number | null;
  peakMb: number | null;
  /** A sentence for each request that the server should have refused. */
  wrong: string[];
  /** The seconds from SIGINT to the end of the server; null if the server had ended before SIGINT. */
  interruptSeconds: number | null;
  endedWith: number | null;
}

export interface ServeOptions {
  form: Form;
  aloneSeconds: number;
  /** The time in seconds for which the attack runs before the probe begins. */
  leadSeconds: number;
  attackSeconds: number;
}

/**
 * The number of seconds in which searches warm up the server before the measurement: the first searches compile
 * code and fill caches.
 */
const WARM_SECONDS = 2;
/**
 * The settings of the crawl. The time limit for parsing is long, so that the slow PDFs are archived even on a
 * busy machine.
 */
const CRAWL = { delay: '5ms', readLimit: '180s' };
const PAGES = 500;
const SLOW_PDFS = 2;
const LARGE_BYTES = 5_000_000;

export async function prepareSearchedData(): Promise<SearchedData> {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-attack-'));
  const web = await startWeb({ seed: 4, hosts: 10, pages: PAGES }, { port: await findFreePort() });
  const hostile = createServer((request, response) => answerHostile(request.url ?? '', response));
  const port = await listenBelowEphemeral(hostile);
  const slowPdfs = Array.from({ length: SLOW_PDFS }, (_, i) => `http://slow-pdf.test:${port}/slow/${i}.pdf`);
  const largePage = `http://large-page.test:${port}/large`;
  const data = ['--data', join(directory, 'data'), '--config', writeConfig(directory, CRAWL)];
  try {
    const seeds = [...slowPdfs, largePage, ...web.seeds];
    for (const command of [
      ['crawl', ...data, ...seeds],
      ['build', ...data],
    ]) {
      const { code, stderr } = await gyre(command);
      if (code !== 0) throw new Error(`gyre ${command[0]} ended with ${code}: ${stderr}`);
    }
  } finally {
    await web.close();
    hostile.closeAllConnections();
    hostile.close();
  }
  await requireCopies(join(directory, 'data'), [...slowPdfs, largePage]);
  const words = wordsOf([...web.plan.plainPages(web.port)].map(({ uniqueWord }) => uniqueWord));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  return { directory, slowPdfs, largePage, words, remove };
}

/**
 * Fails if the hostile pages are not archived. Without copies, the attacks that use them would test nothing.
 */
async function requireCopies(data: string, urls: readonly string[]): Promise<void> {
  const archived = await archivedCounts(data);
  const missing = urls.filter((url) => !archived.has(url));
  if (missing.length > 0) throw new Error(`expected copies of all hostile pages, got none of ${missing}`);
}

function answerHostile(path: string, response: Parameters<typeof sendHtml>[0]): void {
  if (path === '/large') sendHtml(response, largeHtml());
  else if (path.startsWith('/slow/'))
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(slowPdf());
  else sendMissing(response);
}

function largeHtml(): string {
  const page = htmlPage('A large page', []);
  return page + '<p>Another line of a page that is far too long.</p>\n'.repeat(LARGE_BYTES / 50);
}

function* wordsOf(rare: readonly string[]): Generator<string, string> {
  for (let number = 0; ; number++) yield `${rare[number % rare.length]} the of ${number}`;
}

/** Starts a server on the data, with the settings that the attack needs. */
export async function startTarget(
  data: SearchedData,
  kind: 'serve' | 'mcp',
  settings: Record<string, unknown> = {},
): Promise<{ program: Gyre; target: Target }> {
  const port = await findFreePort();
  const config = join(data.directory, `${kind}-${port}.json`);
  writeFileSync(config, JSON.stringify({ contact: 'https://example.org/bot', serve: settings }));
  const command = kind === 'mcp' ? ['mcp', '--http'] : ['serve'];
  const options = ['--data', join(data.directory, 'data'), '--config', config, '--port', String(port)];
  const program = new Gyre([...command, ...options]);
  await program.printed(kind === 'mcp' ? /tools at/ : /search at/);
  return { program, target: { port, slowPdfs: data.slowPdfs, largePage: data.largePage } };
}

export async function witnessServe(
  data: SearchedData,
  attack: HostileClient,
  { form, aloneSeconds, leadSeconds, attackSeconds }: ServeOptions,
): Promise<ServeReport> {
  const { program, target } = await startTarget(data, attack.target, attack.settings);
  let client: RunningClient | null = null;
  try {
    await probe(attack.target, target.port, data.words, WARM_SECONDS);
    const alone = await probe(attack.target, target.port, data.words, aloneSeconds);
    const aloneMb = peakMegabytes(program);
    client = startHostileClient(attack, form, target);
    await sleep(1000 * leadSeconds);
    const attacked = await probe(attack.target, target.port, data.words, attackSeconds);
    if (attack.endsByItself) await client.finished;
    const peakMb = peakMegabytes(program);
    const hasEnded = !isRunning(program);
    const endedWith = hasEnded ? program.child.exitCode : null;
    const interruptSeconds = hasEnded ? null : await interrupt(program);
    const wrong = await client.stop();
    return { alone, attacked, aloneMb, peakMb, wrong, endedWith, interruptSeconds };
  } finally {
    await client?.stop();
    if (isRunning(program)) await program.kill('SIGKILL');
  }
}
