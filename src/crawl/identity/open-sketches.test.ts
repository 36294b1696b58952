import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Directory, openDirectory, silentLog } from '../../base/mod.ts';
import { JOURNAL_START, JournalWriter, type PageRecord } from '../../journal/mod.ts';
import { type Page, parsePage } from '../../page/mod.ts';
import { sketchOf, sketchOfPage } from '../../sketch/sketch.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../url/mod.ts';
import { NEAR_DUPLICATE_DEFAULTS } from '../duplicates/near-duplicates.ts';
import { SKETCHES_LOST } from '../state/crawl-state.ts';
import { openCrawlState } from '../state/sqlite/sqlite-state.ts';
import { emptyCommit } from '../state/state.fixture.ts';
import { openSketches } from './open-sketches.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-sketches-'));
after(() => rmSync(root, { recursive: true }));

const url = (name: string): CanonicalUrl => canonicalize(`http://a.test/${name}`)!;
const textOf = (seed: number) => Array.from({ length: 300 }, (_, i) => `w${seed}x${i * i}`).join(' ');

function pageOf(name: string, seed: number): PageRecord {
  const body = Buffer.from(`<title>${name}</title><p>${textOf(seed)}</p>`);
  const page = parsePage({ url: url(name), contentType: 'text/html', body, xRobotsTag: [] }) as Page;
  return { kind: 'page', url: url(name), fetchedAt: 1, digest: name, page };
}

const sketchAs = (name: string, seed: number) => sketchOfPage(pageOf(name, seed).page);

/** Crawls three pages: one of them has an alias, and one has changed since its first visit. */
async function crawled(name: string) {
  const directory = openDirectory(join(root, name));
  const [journal, dedup] = [directory.directory('journal'), directory.directory('dedup')];
  const writer = new JournalWriter(journal, JOURNAL_START);
  for (const [key, seed] of [
    ['one', 1],
    ['two', 2],
    ['three', 3],
    ['two', 9],
  ] as const)
    writer.append(pageOf(key, seed));
  writer.append({ kind: 'alias', url: url('copy'), fetchedAt: 1, of: url('one'), reason: 'near-duplicate' });
  await writer.flush();
  writer.rotate();
  writer.close();
  const state = openCrawlState(directory);
  const near = await openSketches(
    { state, directory: dedup, journal, nearDuplicates: NEAR_DUPLICATE_DEFAULTS, log: silentLog },
    0,
  );
  const entry = near.add(fingerprint(url('one')), sketchOf(textOf(1)))!;
  for (let more = 0; more < 5; more++) near.add(BigInt(more), sketchOf(textOf(50 + more)));
  const discovered = [{ url: url('one'), fingerprint: fingerprint(url('one')), depth: 0 }];
  await state.commit({ ...emptyCommit(), discovered, sketches: await near.flush() });
  await state.replaceSketches(new Map([[fingerprint(url('one')), { entry, isOwn: true }]]), near.entryCount);
  near.close();
  const open = async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (_: string, fields?: object) => warnings.push(JSON.stringify(fields)) };
    const opened = await openSketches(
      { state, directory: dedup, journal, log },
      (await state.marks())!.sketches,
    );
    return { near: opened, warnings: warnings.join() };
  };
  return { state, dedup, open };
}

const DAMAGES: [string, (dedup: Directory) => void][] = [
  ['cut', (dedup) => dedup.replace('near.keys', dedup.read('near.keys').subarray(0, 60))],
  ['lost', (dedup) => dedup.remove('near.bins')],
  ['flipped', (dedup) => dedup.replace('near.keys', flipped(dedup.read('near.keys'), 70))],
  ['version 1', (dedup) => dedup.replace('near.keys', withVersion(dedup.read('near.keys'), 1))],
  ['other magic', (dedup) => dedup.replace('near.bins', flipped(dedup.read('near.bins'), 1))],
];

function withVersion(bytes: Buffer, version: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt32LE(version, 4);
  return changed;
}

for (const [name, damage] of DAMAGES) {
  test(`damaged sketches (${name}) are rebuilt from the journal and logged`, async () => {
    const { state, dedup, open } = await crawled(name);
    damage(dedup);
    const { near, warnings } = await open();
    assert.match(warnings, /near\.(?:keys|bins)/);
    assert.equal(near.find(sketchAs('three', 3))?.owner, fingerprint(url('three')));
    assert.equal(near.find(sketchAs('two', 9))?.owner, fingerprint(url('two')));
    assert.equal(near.find(sketchAs('two', 2)), null, 'the page has other content now');
    const entries = await state.sketchesOf([fingerprint(url('one')), fingerprint(url('copy'))]);
    const entry = entries.get(fingerprint(url('one')))!;
    assert.equal(near.ownerOf(entry), fingerprint(url('one')));
    assert.equal(entries.get(fingerprint(url('copy'))), entry);
    assert.equal((await state.marks())!.sketches, near.entryCount);
    near.close();
    const again = await open();
    assert.equal(again.warnings, '');
    again.near.close();
    state.close();
  });
}

test('a rebuild of sketches that crashed is repeated by the next start', async () => {
  const { state, open } = await crawled('crash');
  await state.replaceSketches(new Map(), SKETCHES_LOST);
  const { near } = await open();
  assert.equal(near.find(sketchAs('three', 3))?.owner, fingerprint(url('three')));
  near.close();
  state.close();
});

test('a flipped byte in near.bins costs one comparison and is logged', async () => {
  const { dedup, open, state } = await crawled('bins');
  dedup.replace('near.bins', flipped(dedup.read('near.bins'), 100));
  const { near } = await open();
  assert.equal(near.find(sketchOf(textOf(1))), null);
  assert.equal(near.find(sketchOf(textOf(52)))?.owner, 2n);
  near.close();
  state.close();
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 4;
  return copy;
}
