/**
 * npm run bench:seen — measures the seen set when it is larger than its memory.
 *
 *   --urls N      known URLs at the end (100,000,000); measured at a hundredth, a tenth and all of them
 *   --memory SIZE memory of the set (256Mi)
 *   --pages N     pages visited at each size (20,000)
 *   --json        one JSON object as the last line
 *
 * A page has 30 links, 24 of them to its own host: nine are new, the others are known. Between the measurements the set
 * grows on pages with new links only. Every answer is compared with the truth: `wrong` must be 0. At the end a new
 * set is opened from disk.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDirectory, parseSize, Random } from '../../src/base/mod.ts';
import { SeenLog, type SeenMark } from '../../src/crawl/frontier/seen-log.ts';
import { SeenSet } from '../../src/crawl/frontier/seen-set.ts';
import { type BenchRow, report } from '../report.ts';

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '100000000' },
    memory: { type: 'string', default: '256Mi' },
    pages: { type: 'string', default: '20000' },
    json: { type: 'boolean', default: false },
  },
});

const URLS_PER_HOST = 1000;
const NEW_LINKS = 9;
const KNOWN_HERE = 15;
const KNOWN_ELSEWHERE = 6;
const LINKS = NEW_LINKS + KNOWN_HERE + KNOWN_ELSEWHERE;
const LINKS_PER_COMMIT = 4096;

/**
 * Generates URLs, numbered in the order of their discovery. Each host is discovered a thousand URLs at a time,
 * spread over the whole crawl.
 */
class NumberedUrls {
  readonly #hosts: number;

  constructor(total: number) {
    this.#hosts = Math.ceil(total / URLS_PER_HOST);
  }

  /**
   * Returns the number of the URL that is `steps` URLs later on the same host. Consecutive URLs of a host are
   * `#hosts` numbers apart.
   */
  sameHost(number: number, steps: number): number {
    return number - steps * this.#hosts;
  }

  /**
   * Returns the fingerprint of a URL: sixteen bits from its host, then bits from the URL, as in a real
   * fingerprint.
   */
  fingerprintOf(number: number): bigint {
    const host = mix(number % this.#hosts) & 0xffff;
    const high = (host << 16) | (mix(number + 0x5bd1) & 0xffff);
    return (BigInt(high) << 32n) | BigInt(mix(number) >>> 0);
  }
}

/** Maps 32-bit numbers to other 32-bit numbers. No two numbers give the same result. */
function mix(number: number): number {
  let mixed = number ^ (number >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}

const directoryPath = mkdtempSync(join(tmpdir(), 'gyre-seen-'));
const directory = openDirectory(directoryPath);
const total = Number(values.urls);
const memoryBytes = parseSize(values.memory);
const random = new Random(1);
const urls = new NumberedUrls(total);
const seen = new SeenSet(memoryBytes);
let log = await SeenLog.open(directory, { seenBytes: 0 }, seen);
let mark: SeenMark = { seenBytes: 0 };
let known = 0;
let uncommitted = 0;
let wrong = 0;

try {
  const rows: BenchRow[] = [];
  for (const size of [total / 100, total / 10, total]) {
    while (known < size) await addNext();
    rows.push(await visit(Number(values.pages)));
  }
  await commit();
  log.close();
  rows.push(await restart());
  const [small, , large] = rows;
  report(rows, { nsPerLinkGrowth: Number(large!.nsPerLink) / Number(small!.nsPerLink), wrong }, values.json);
} finally {
  rmSync(directoryPath, { recursive: true, force: true });
}

async function addNext(): Promise<void> {
  const fingerprint = urls.fingerprintOf(known++);
  if (seen.add(fingerprint)) log.append(fingerprint);
  else wrong++;
  if (++uncommitted >= LINKS_PER_COMMIT) await commit();
}

async function commit(): Promise<void> {
  mark = await log.flush();
  await log.spillIfFull();
  uncommitted = 0;
}

async function visit(pages: number): Promise<BenchRow> {
  const before = known;
  const cpu = process.cpuUsage();
  for (let page = 0; page < pages; page++) {
    const here = known;
    for (let link = 0; link < KNOWN_HERE; link++) expectKnown(urls.sameHost(here, 1 + random.below(200)));
    for (let link = 0; link < KNOWN_ELSEWHERE; link++) expectKnown(random.below(known));
    for (let link = 0; link < NEW_LINKS; link++) await addNext();
  }
  const { user, system } = process.cpuUsage(cpu);
  const nsPerLink = ((user + system) * 1000) / (pages * LINKS);
  return { name: 'visiting', known: before, runs: seen.runCount, nsPerLink, peakRssMB: peakRssMB() };
}

function expectKnown(number: number): void {
  if (number >= 0 && !seen.has(urls.fingerprintOf(number))) wrong++;
}

async function restart(): Promise<BenchRow> {
  const startedAt = performance.now();
  const again = new SeenSet(memoryBytes);
  log = await SeenLog.open(directory, mark, again);
  const seconds = (performance.now() - startedAt) / 1000;
  for (let at = 0; at < 100_000; at++) {
    const number = random.below(2 * known);
    if (again.has(urls.fingerprintOf(number)) !== number < known) wrong++;
  }
  const row = { name: 'restart', known: again.size, runs: again.runCount, seconds, peakRssMB: peakRssMB() };
  log.close();
  return row;
}

function peakRssMB(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
}
