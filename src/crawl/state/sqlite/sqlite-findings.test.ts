import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDirectory } from '../../../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../../url/mod.ts';
import { documentOf, otherNames } from '../../identity/document-aliases.ts';
import { PendingState } from '../pending-state.ts';
import { emptyCommit } from '../state.fixture.ts';
import { openCrawlState } from './sqlite-state.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-findings-'));
after(() => rmSync(root, { recursive: true }));

const url = (path: string) => `http://a.test${path}` as CanonicalUrl;
const alias = (path: string, of: string) =>
  ({ kind: 'alias', url: url(path), fetchedAt: 1, of: url(of), reason: 'duplicate' }) as const;

test('findings can be read before and after their commit, and after a restart', async () => {
  const directory = openDirectory(join(root, 'seen'));
  const state = openCrawlState(directory);
  const findings = new PendingState(state);
  const note = { origin: 'http://a.test', kind: 'traps', value: '{}', notedAt: 3 } as const;
  findings.keepNote(note);
  findings.keepSketch(5n, 9);
  const batch = findings.take();
  assert.deepEqual(await findings.notesOf([note.origin], 'traps'), [note]);
  assert.equal(await findings.sketchOf(5n), 9);
  assert.deepEqual(await state.notesOf([note.origin], 'traps'), []);
  await state.commit({ ...emptyCommit(), ...batch });
  state.close();
  const again = openCrawlState(directory, { readOnly: true });
  assert.deepEqual({ ...(await again.notesOf([note.origin], 'traps'))[0] }, note);
  assert.equal((await again.sketchesOf([5n])).get(5n), 9);
  assert.deepEqual(await again.notesOf([note.origin], 'mirror'), []);
  again.close();
});

test('a document has its direct and indirect aliases until an alias becomes a page', async () => {
  const state = openCrawlState(openDirectory(join(root, 'names')));
  const findings = new PendingState(state);
  for (const record of [alias('/b', '/a'), alias('/c', '/b'), alias('/d', '/a')]) {
    findings.keepVerdict(fingerprint(record.url), record);
  }
  await state.commit({ ...emptyCommit(), ...findings.take() });
  assert.equal(await documentOf(state, url('/c')), url('/a'));
  assert.deepEqual(
    (await otherNames(state, url('/a'))).map((name) => name.url),
    [url('/b'), url('/d'), url('/c')],
  );
  assert.deepEqual(
    (await state.verdictCounts()).map(({ kind, count }) => [kind, count]),
    [['duplicate', 3]],
  );
  const first = await state.verdicts(null, 2);
  const rest = await state.verdicts(fingerprint(first[1]!.url), 2);
  assert.deepEqual([...first, ...rest].map((verdict) => verdict.url).sort(), [
    url('/b'),
    url('/c'),
    url('/d'),
  ]);
  findings.keepVerdict(fingerprint(url('/b')), 'page');
  await state.commit({ ...emptyCommit(), ...findings.take() });
  assert.equal(await documentOf(state, url('/c')), url('/b'));
  state.close();
});

test('reopening makes one refused URL ready again', async () => {
  const state = openCrawlState(openDirectory(join(root, 'reopened')));
  const findings = new PendingState(state);
  const discovered = ['/refused', '/done'].map((path) => ({
    url: url(path),
    fingerprint: fingerprint(url(path)),
    depth: 2,
  }));
  await state.commit({ ...emptyCommit(), discovered });
  const results = (['refused', 'done'] as const).map((outcome, at) => ({
    fingerprint: discovered[at]!.fingerprint,
    state: outcome,
    attempts: 0,
    status: 0,
    reason: { code: 'page' as const },
    fetchedAt: 1,
  }));
  await state.commit({ ...emptyCommit(), results });
  for (const { fingerprint } of discovered) findings.reopen(fingerprint);
  const { added } = await state.commit({ ...emptyCommit(), ...findings.take() });
  assert.deepEqual(added, [discovered[0]]);
  state.close();
});
