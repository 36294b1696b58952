/** A sample of `npm run test:faults`: disks that fail below a crawl, and below a build with a rank run. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { openDirectory, partOf, Random } from '../../src/base/mod.ts';
import type { FaultReport } from '../faults/fault-campaign.ts';
import { FaultDisk } from '../faults/fault-disk.ts';
import { testSeed } from '../helpers/seed.ts';

const CAMPAIGN = join(import.meta.dirname, '..', 'faults', 'main.ts');

test('a power failure leaves what a directory promises, and no more is promised', async (t) => {
  const { disk, root, image } = watchedDisk(t);
  const data = openDirectory(join(root, 'data', 'new'));
  data.replace('replaced', Buffer.from('old'));
  data.replace('replaced', Buffer.from('replaced'));
  const synced = data.append('synced', 0);
  synced.write(Buffer.from('synced'));
  await synced.sync();
  synced.write(Buffer.from(', lost'));
  const renamed = data.append(partOf('renamed'), 0);
  renamed.write(Buffer.from('renamed'));
  renamed.close();
  data.rename(partOf('renamed'), 'renamed');
  data.append('unsynced', 0).write(Buffer.from('lost'));
  const left = openDirectory(join(image(), 'data', 'new'));
  for (const name of ['replaced', 'synced', 'renamed']) assert.equal(left.read(name).toString(), name);
  // The name of this file was made durable by the rename, but its data were not.
  data.rename('synced', 'synced-too');
  const later = openDirectory(join(image(), 'data', 'new'));
  assert.deepEqual(later.list(), ['renamed', 'replaced', 'synced-too', 'unsynced']);
  assert.equal(later.read('synced-too').toString(), 'synced, lost');
  assert.equal(later.read('unsynced').length, 0);
  assert.ok(disk.operations > 15);
});

test('a write that fails or is cut short reaches the caller, and the old file stays', (t) => {
  const { root } = watchedDisk(t, { fault: { kind: 'short', at: 8 } });
  const data = openDirectory(root);
  data.replace('a', Buffer.from('old'));
  assert.throws(() => data.replace('a', Buffer.from('new')), { code: 'ENOSPC' });
  assert.equal(data.read('a').toString(), 'old');
  assert.deepEqual(data.list(), ['a']);
});

test('after faults of the disk a crawl loses and repeats no acknowledged page', async () => {
  const { images, errors, broken } = await sampleOf('crawl', 0.012);
  assert.deepEqual(broken, []);
  assert.ok(images > 2 && errors > 1, `${images} images, ${errors} errors`);
});

test('after faults of the disk the index opens, and searches equal those of a clean rebuild', async () => {
  const { images, errors, broken } = await sampleOf('index', 0.01);
  assert.deepEqual(broken, []);
  assert.ok(images > 2 && errors > 1, `${images} images, ${errors} errors`);
});

/** Tests a share of the operations in a separate process, because faults leave threads and open files. */
async function sampleOf(workload: string, share: number): Promise<FaultReport> {
  const options = ['--workload', workload, '--share', String(share), '--seed', String(testSeed())];
  const args = ['--disable-warning=ExperimentalWarning', CAMPAIGN, ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [report] = (await json(child.stdout)) as [FaultReport];
  return report;
}

interface WatchedDisk {
  disk: FaultDisk;
  root: string;
  /** Returns a directory with the files that a power failure leaves, which loses all that is not promised. */
  image(): string;
}

function watchedDisk(t: TestContext, options: ConstructorParameters<typeof FaultDisk>[1] = {}): WatchedDisk {
  const root = mkdtempSync(join(tmpdir(), 'gyre-disk-'));
  const images: string[] = [];
  const disk = new FaultDisk(root, options);
  t.after(() => {
    disk.close();
    for (const path of [root, ...images]) rmSync(path, { recursive: true, force: true });
  });
  const image = () => {
    images.push(mkdtempSync(join(tmpdir(), 'gyre-disk-')));
    disk.model.writeImage(images.at(-1)!, 'nothing', new Random(1));
    return images.at(-1)!;
  };
  return { disk, root, image };
}
