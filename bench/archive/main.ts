/**
 * Measures the cost of archiving pages. A page has 30 KB of HTML and is stored with its request, both digests
 * and a CDXJ line. Pages are written in batches of 256, each of which waits for the disk. The cases are:
 * encoding in the calling thread or in a separate one, gzip or zstd, and bodies that the server had compressed.
 * Half of the rounds run the cases in reverse order. The result of a case is its best round.
 *
 *   node bench/archive/main.ts [PAGES] [--json]
 *
 * Each row has: MB/s of bodies, CPU-seconds of the process per 1,000 pages, seconds per 1,000 pages for which
 * the calling thread was busy, and the size of the bodies divided by the size of the archive.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import {
  type Capture,
  ThreadEncoder,
  WARC_START,
  type WarcCompression,
  WarcWriter,
} from '../../src/archive/mod.ts';
import { appendBatch } from '../../src/archive/warc/warc.fixture.ts';
import { openDirectory, Random, sha1Base32, systemClock } from '../../src/base/mod.ts';
import { type BenchRow, report } from '../report.ts';

const PAGE_BYTES = 30_000;
const BATCH = 256;
const ROUNDS = 4;

interface Variant {
  name: string;
  compression: WarcCompression;
  threaded: boolean;
  pages: readonly Capture[];
}

interface Row extends BenchRow {
  megabytesPerSecond: number;
  cpuSecondsPer1000: number;
  callerSecondsPer1000: number;
  ratio: number;
}

const pageCount = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 1024);
const plain = Array.from({ length: pageCount }, (_, i) => capture(i, html(i), []));
const coded = plain.map((page, i) => capture(i, gzipSync(page.payload), ['Content-Encoding', 'gzip']));
const variants: Variant[] = (['gzip', 'zstd'] as const).flatMap((compression) => [
  { name: `${compression}, same thread`, compression, threaded: false, pages: plain },
  { name: `${compression}, own thread`, compression, threaded: true, pages: plain },
  { name: `${compression}, compressed bodies`, compression, threaded: false, pages: coded },
]);

const best = new Map<string, Row>();
for (let round = 0; round < ROUNDS; round++) {
  for (const variant of round % 2 ? variants.toReversed() : variants) {
    const row = await measure(variant);
    const known = best.get(row.name);
    if (!known || row.cpuSecondsPer1000 < known.cpuSecondsPer1000) best.set(row.name, row);
  }
}
const rows = variants.map(({ name }) => best.get(name)!);
const column = (name: string, key: keyof Row) => best.get(name)![key] as number;
const ratios = {
  'CPU of gzip to that of zstd':
    column('gzip, same thread', 'cpuSecondsPer1000') / column('zstd, same thread', 'cpuSecondsPer1000'),
  'caller busy without a thread to with one':
    column('gzip, same thread', 'callerSecondsPer1000') / column('gzip, own thread', 'callerSecondsPer1000'),
};
report(rows, ratios, process.argv.includes('--json'));

async function measure({ name, compression, threaded, pages }: Variant): Promise<Row> {
  const path = mkdtempSync(join(tmpdir(), 'gyre-bench-archive-'));
  const writer = new WarcWriter({
    directory: openDirectory(path),
    mark: WARC_START,
    rotateBytes: Number.MAX_SAFE_INTEGER,
    software: 'Gyre bench',
    clock: systemClock,
    compression,
    ...(threaded && { encoder: new ThreadEncoder() }),
  });
  const { length: before } = await appendBatch(writer, pages.slice(0, 8));
  const [cpu, loop, startedAt] = [process.cpuUsage(), performance.eventLoopUtilization(), performance.now()];
  for (let at = 0; at < pages.length; at += BATCH) await appendBatch(writer, pages.slice(at, at + BATCH));
  const seconds = (performance.now() - startedAt) / 1000;
  const used = process.cpuUsage(cpu);
  const busyMs = performance.eventLoopUtilization(loop).active;
  const bytes = pages.reduce((sum, page) => sum + page.payload.length, 0);
  const ratio = bytes / (writer.mark.length - before);
  writer.close();
  rmSync(path, { recursive: true });
  return {
    name,
    megabytesPerSecond: bytes / 1e6 / seconds,
    cpuSecondsPer1000: (used.user + used.system) / 1000 / pages.length,
    callerSecondsPer1000: busyMs / pages.length,
    ratio,
  };
}

function capture(i: number, payload: Uint8Array, headers: readonly string[]): Capture {
  const host = `host-${i % 50}.example`;
  return {
    url: `https://${host}/section-${i % 7}/page-${i}.html`,
    fetchedAt: 1_800_000_000_000 + i,
    requestHead: `GET /page-${i} HTTP/1.1\r\nhost: ${host}\r\nuser-agent: Gyre\r\naccept: text/html`,
    status: 200,
    statusText: 'OK',
    rawHeaders: ['Content-Type', 'text/html; charset=utf-8', 'Server', 'bench', ...headers],
    payload,
    payloadDigest: sha1Base32(payload),
    ipAddress: '192.0.2.1',
    duplicateOf: null,
  };
}

/**
 * Makes a page: markup around words of a skewed vocabulary, so that it compresses about as well as real
 * pages.
 */
function html(seed: number): Buffer {
  const random = new Random(seed + 1);
  let text = `<!doctype html><html><head><title>Page ${seed}</title></head><body>`;
  while (text.length < PAGE_BYTES) {
    const words = Array.from(
      { length: 30 },
      () => `word${Math.floor(random.next() ** 3 * 5000).toString(36)}`,
    );
    text += `<p class="paragraph"><a href="/page-${random.next().toString(36).slice(2, 8)}">${words.join(' ')}</a></p>\n`;
  }
  return Buffer.from(text);
}
