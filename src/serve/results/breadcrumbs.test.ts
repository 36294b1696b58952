import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breadcrumbs } from './breadcrumbs.ts';

const crumbs = (path: string) => breadcrumbs(`https://a.example${path}`);

test('path parts are decoded in any encoding', () => {
  assert.deepEqual(crumbs('/'), []);
  assert.deepEqual(crumbs('/caf%C3%A9/x%20y'), ['café', 'x y']);
  assert.deepEqual(crumbs('/%D8%A7%D9%84%D9%85%D8%AD%D9%8A%D8%B7?%C3%BC=1'), ['المحيط', '?ü=1']);
  assert.deepEqual(crumbs('/caf%E9/100%25/50%'), ['café', '100%', '50%']);
});

test('only deceptive characters stay escaped', () => {
  assert.deepEqual(crumbs('/%C3%BCber%E2%80%AEfdp.exe'), ['über%E2%80%AEfdp.exe']);
  assert.deepEqual(crumbs('/caf%C3%A9%2Fb/%00/%5C'), ['café%2Fb', '%00', '%5C']);
});

test('a long path shows its first part and its last two', () => {
  assert.deepEqual(crumbs('/a/b/c'), ['a', 'b', 'c']);
  assert.deepEqual(crumbs('/a/b/c/d/e'), ['a', '…', 'd', 'e']);
  assert.deepEqual(crumbs('/a/b/c?d=e'), ['a', '…', 'c', '?d=e']);
});

test('a long part loses its middle, and a long path its middle parts', () => {
  const [part] = crumbs(`/${'x'.repeat(500)}-4711.html`);
  assert.equal(part, `${'x'.repeat(26)}…xxx-4711.html`);
  const long = 'y'.repeat(30);
  assert.deepEqual(crumbs(`/first/${long}1/${long}2`), ['first', '…', `${long}2`]);
  assert.deepEqual(crumbs(`/${long}${long}/${long}2`), ['…', `${long}2`]);
  assert.deepEqual(crumbs(`/${'%F0%9F%98%80'.repeat(60)}`), [`${'😀'.repeat(26)}…${'😀'.repeat(13)}`]);
});
