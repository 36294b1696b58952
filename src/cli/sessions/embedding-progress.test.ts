import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory } from '../../base/mod.ts';
import { describeProgress, describeRest, ProgressSaver, readProgress } from './embedding-progress.ts';

const PROGRESS = { embedded: 10, unsuitable: 2, missing: 6000, msPerPage: 20, pace: 50 };

function directoryOf(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-progress-'));
  t.after(() => rmSync(path, { recursive: true }));
  return openDirectory(path);
}

test('progress that was saved is read, and a damaged file is no progress', (t) => {
  const directory = directoryOf(t);
  assert.equal(readProgress(directory), null);
  new ProgressSaver(directory).offer(PROGRESS);
  const { savedAtMs, ...read } = readProgress(directory)!;
  assert.deepEqual(read, PROGRESS);
  assert.ok(Math.abs(savedAtMs - Date.now()) < 60_000);
  writeFileSync(join(directory.path, 'progress.json'), '{"missing": 3, "checksum": "00000000"\n}');
  assert.equal(readProgress(directory), null);
  writeFileSync(join(directory.path, 'progress.json'), '{"missing": 3}');
  assert.equal(readProgress(directory), null);
});

test('progress is saved seldom, and at once when no page is left', (t) => {
  const directory = directoryOf(t);
  const saver = new ProgressSaver(directory);
  saver.offer(PROGRESS);
  saver.offer({ ...PROGRESS, missing: 5000 });
  assert.equal(readProgress(directory)!.missing, 6000);
  saver.offer({ ...PROGRESS, missing: 0 });
  assert.equal(readProgress(directory)!.missing, 0);
});

test('the time left follows from the time for a page and the share of the processor', () => {
  const saved = { ...PROGRESS, savedAtMs: 1_000_000 };
  assert.equal(describeRest(saved), '6000 pages left, about 4 minutes');
  assert.equal(describeRest({ ...saved, pace: 100 }), '6000 pages left, about 2 minutes');
  assert.equal(describeRest({ ...saved, msPerPage: 0 }), '6000 pages left');
  assert.equal(
    describeProgress(saved, 1_010_000, 'gyre embed'),
    '6000 pages left, about 4 minutes at 50 % of a processor (meaning.cpuShare)',
  );
  assert.equal(describeProgress(saved, 2_000_000, 'gyre embed'), '6000 pages left; gyre embed continues');
  assert.equal(describeProgress({ ...saved, missing: 0 }, 2_000_000, 'gyre embed'), 'no page is left');
});
