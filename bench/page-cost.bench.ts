/**
 * Measures the cost of duplicate and trap detection per page: making a sketch, looking it up among many
 * pages, and checking fifty links. Also measures the cost of the table of near duplicates as it grows.
 *
 * Data: 300 seeded plain pages of the synthetic web, 30 KB of HTML on average, parsed beforehand; for the
 * index, random keys and the sketches of those pages. The figures are CPU time of this process, the best of
 * several rounds, For comparison, the time of the simplest loop over the same text is measured too. Other work
 * on the machine slows down both, so their ratio is more reliable than the time alone.
 *
 *   node bench/page-cost.bench.ts [--entries 1000000] [--json]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDirectory, Random } from '../src/base/mod.ts';
import { NEAR_DUPLICATE_DEFAULTS, NearDuplicates } from '../src/crawl/duplicates/near-duplicates.ts';
import { TrapDetectors } from '../src/crawl/traps/trap-detectors.ts';
import { type Page, parsePage } from '../src/page/mod.ts';
import { type Sketch, sketchOf, sketchOfPage } from '../src/sketch/sketch.ts';
import { planWeb } from '../src/synthetic-web/plan.ts';
import { type CanonicalUrl, originOf } from '../src/url/mod.ts';
import { report } from './report.ts';

const PAGES = 300;
const LINKS = 50;
const ROUNDS = 8;

const { values } = parseArgs({
  options: { entries: { type: 'string', default: '200000' }, json: { type: 'boolean' } },
});
const plan = planWeb({ seed: 9, hosts: 4, pages: PAGES, medianPageBytes: 24_000, linksPerPage: LINKS });
const pages: { url: CanonicalUrl; page: Page; links: CanonicalUrl[] }[] = [];
let htmlBytes = 0;
for (const { number, url: address } of plan.plainPages(80)) {
  const url = address as CanonicalUrl;
  const body = plan.render(number, 80);
  htmlBytes += body.length;
  const page = parsePage({ url, contentType: 'text/html; charset=utf-8', body, xRobotsTag: [] })!;
  pages.push({ url, page, links: page.links.slice(0, LINKS).map((link) => link.url) });
}
const textLength = pages.reduce((sum, { page }) => sum + page.text.length, 0);
const linkCount = pages.reduce((sum, { links }) => sum + links.length, 0);

/** Returns the CPU time per page in microseconds, in the best round. */
function cost(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / PAGES);
  }
  return best;
}

const directory = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
const entries = Number(values.entries);
const options = { ...NEAR_DUPLICATE_DEFAULTS, maxEntries: Math.max(entries, 1000) };

function randomSketch(random: Random, template: Sketch): Sketch {
  const word = () => random.below(2 ** 32);
  return { ...template, simLow: word(), simHigh: word(), bands: Uint32Array.from({ length: 6 }, word) };
}

async function fill(): Promise<number> {
  const near = new NearDuplicates(openDirectory(directory), 0, options);
  const template = sketchOf(pages[0]!.page.text);
  const random = new Random(1);
  for (let entry = 0; entry < entries; entry++) {
    near.add(BigInt(entry), randomSketch(random, template));
    if (entry % 10_000 === 9_999) await near.flush();
  }
  const count = await near.flush();
  near.close();
  return count;
}

const count = await fill();
const beforeOpening = process.cpuUsage();
const near = new NearDuplicates(openDirectory(directory), count, options);
const opening = process.cpuUsage(beforeOpening);
const openMs = (opening.user + opening.system) / 1000;

let kept = 0;
const plain = cost(() => {
  for (const { page } of pages) {
    const { text } = page;
    for (let at = 0; at < text.length; at++) kept = Math.imul(kept ^ text.charCodeAt(at), 0x01000193);
  }
});
let sketches: Sketch[] = [];
const sketching = cost(() => {
  sketches = pages.map(({ page }) => sketchOfPage(page));
});
const finding = cost(() => {
  for (const sketch of sketches) near.find(sketch);
});
const firstEntry = near.entryCount;
for (const [at, sketch] of sketches.entries()) near.add(BigInt(at), sketch);
await near.flush();
const confirming = cost(() => {
  for (const sketch of sketches) near.find(sketch);
});
const assessing = cost(() => {
  const detectors = new TrapDetectors({ now: Date.now });
  for (const [at, { url, links }] of pages.entries()) {
    for (const link of links) detectors.of(originOf(link)).discovered(link, url);
    const own = links.filter((link) => originOf(link) === originOf(url));
    detectors.of(originOf(url)).fetched(url, { ...sketches[at]!, contentKey: at, titleKey: at }, own);
  }
});
near.close();
rmSync(directory, { recursive: true });

const megabytes = (micros: number) => textLength / PAGES / micros;
const rows = [
  { name: 'plain loop over the text', microsPerPage: plain, megabytesPerSecond: megabytes(plain) },
  { name: 'sketch', microsPerPage: sketching, megabytesPerSecond: megabytes(sketching) },
  { name: `look-up among ${entries}`, microsPerPage: finding },
  { name: 'look-up of a duplicate', microsPerPage: confirming },
  { name: `traps, ${Math.round(linkCount / PAGES)} links`, microsPerPage: assessing },
  { name: 'all of it', microsPerPage: sketching + finding + assessing },
];
const facts = {
  htmlBytes: Math.round(htmlBytes / PAGES),
  textLength: Math.round(textLength / PAGES),
  entries: firstEntry,
  openMs: Math.round(openMs),
  indexBytesPerEntry: Math.round(near.sizeBytes / Math.max(1, near.entryCount)),
};
console.log(facts);
report(rows, { allOverPlainLoop: (sketching + finding + assessing) / plain }, values.json ?? false);
