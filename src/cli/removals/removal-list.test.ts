import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { appendAudit } from '../access/mod.ts';
import {
  changeRemovals,
  isSettled,
  LiveRemovals,
  type RemovalRule,
  readRemovals,
  removedBy,
  withoutRule,
  withRules,
} from './removal-list.ts';

function temporaryRoot(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-removals-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

const A = 'https://example.org/a';

function rule(value: string, over: Partial<RemovalRule> = {}): RemovalRule {
  return { kind: 'url', value, removedAt: 1, purge: 'no', ...over };
}

test('a list without a file is empty and settled', (t) => {
  const list = readRemovals(temporaryRoot(t));
  assert.deepEqual(list.rules, []);
  assert.ok(isSettled(list));
});

test('a change is durable, and leaves work until it is settled', (t) => {
  const root = temporaryRoot(t);
  changeRemovals(root, (list) => withRules(list, [rule(A)]));
  const list = readRemovals(root);
  assert.equal(isSettled(list), false);
  assert.ok(removedBy(list).matches(A as CanonicalUrl));
  changeRemovals(root, (now) => ({ ...now, settled: now.revision }));
  assert.ok(isSettled(readRemovals(root)));
});

test('a later purge of a removed URL is pending, and a purged URL stays purged', () => {
  const empty = { revision: 0, settled: 0, rules: [] };
  const removed = withRules(empty, [rule(A)]);
  const [pending] = withRules(removed, [rule(A, { purge: 'pending', removedAt: 9 })]).rules;
  assert.deepEqual(pending, rule(A, { purge: 'pending', revision: 1 }));
  const done = { ...removed, rules: [rule(A, { purge: 'done' })] };
  assert.equal(withRules(done, [rule(A)]).rules[0]!.purge, 'done');
});

test('a URL is allowed together with the other URLs of its document', () => {
  const other = rule('https://example.org/b', { because: A });
  const list = { revision: 4, settled: 4, rules: [rule(A), other, rule('https://example.org/c')] };
  const left = withoutRule(list, { kind: 'url', value: A });
  assert.deepEqual(left.rules, [rule('https://example.org/c')]);
  assert.equal(left.revision, 5);
});

test('a damaged list is an error, because removed pages would be crawled again', (t) => {
  const root = temporaryRoot(t);
  changeRemovals(root, (list) => withRules(list, [rule(A)]));
  const bytes = root.read('removed.json');
  writeFileSync(join(root.path, 'removed.json'), bytes.toString().replace('/a"', '/b"'));
  assert.throws(() => readRemovals(root), /restore the file from a backup/);
});

test('a running process sees a removal of another process', async (t) => {
  const root = temporaryRoot(t);
  const live = new LiveRemovals(root);
  assert.equal(live.urls.matches(A as CanonicalUrl), false);
  changeRemovals(root, (list) => withRules(list, [rule(A)]));
  while (!live.urls.matches(A as CanonicalUrl)) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(live.list.revision, 1);
});

test('an audit entry is one line, also with control characters, and only the owner may read it', (t) => {
  const root = temporaryRoot(t);
  appendAudit(root, { who: 'cli:a\u2028\u001b[1m', action: 'remove', target: A }, 0);
  appendAudit(root, { who: 'cli:b', action: 'allow', target: A }, 1);
  const lines = root.read('audit.log').toString().trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).time),
    ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.001Z'],
  );
  assert.equal(statSync(join(root.path, 'audit.log')).mode & 0o077, 0);
});
