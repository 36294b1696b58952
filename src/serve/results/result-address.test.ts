import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchResult } from '../../query/mod.ts';
import { breadcrumbs, passageAddress } from './result-address.ts';

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

const URL = 'https://example.org/start';

const RESULT: SearchResult = {
  url: URL,
  title: '',
  snippet: '',
  highlights: [],
  host: 'example.org',
  score: 1,
  fetchedAt: '',
};

function addressOf(snippet: string, change: Partial<SearchResult> = {}): string {
  return passageAddress({ ...RESULT, snippet, isPassage: true, ...change });
}

test('the address of a passage has its first words, without ellipses', () => {
  assert.equal(
    addressOf('… Run the installer as root and wait until it ends …'),
    `${URL}#:~:text=Run%20the%20installer%20as%20root%20and%20wait%20until`,
  );
  assert.equal(addressOf('Run the installer twice …'), `${URL}#:~:text=Run%20the%20installer%20twice`);
});

test('the signs of the syntax of text fragments are encoded', () => {
  assert.equal(
    addressOf('A well-known, old & good friend'),
    `${URL}#:~:text=A%20well%2Dknown%2C%20old%20%26%20good%20friend`,
  );
  assert.equal(addressOf('half \ud83d of a pair'), `${URL}#:~:text=half%20%EF%BF%BD%20of%20a%20pair`);
});

test('other snippets, short ones and URLs with a fragment have no text fragment', () => {
  assert.equal(passageAddress({ ...RESULT, snippet: 'one two three four five' }), URL);
  assert.equal(addressOf('one two three'), URL);
  assert.equal(addressOf('字'.repeat(150)), URL);
  assert.equal(addressOf('one two three four five', { url: `${URL}#part` }), `${URL}#part`);
});
