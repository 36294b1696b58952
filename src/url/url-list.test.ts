import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { canonicalize } from './canonical.ts';
import { listWordsOf, parseUrlList, readUrlList, SHIPPED_LISTS } from './url-list.ts';

for (const name of SHIPPED_LISTS) {
  test(`the list ${name} can be read, and has its domains and then its words in order`, () => {
    const { domains, words } = readUrlList(name);
    assert.ok(domains.size >= 10);
    const text = readFileSync(new URL(`lists/${name}.txt`, import.meta.url), 'utf8');
    const entries = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const [dotted, plain] = [true, false].map((dot) =>
      entries.filter((entry) => entry.includes('.') === dot),
    );
    assert.deepEqual(entries, [...dotted!.toSorted(), ...plain!.toSorted()]);
    assert.equal(domains.size + words.size, entries.length, 'nothing twice');
  });
}

test('a line is a domain, a word, or an error', () => {
  const list = parseUrlList('# all\n.Example\nbücher.example # a shop\r\n\n  Casino\nwürfel\n');
  assert.deepEqual([...list.domains], ['example', 'xn--bcher-kva.example']);
  assert.deepEqual([...list.words], ['casino', 'würfel']);
  for (const line of ['two words', 'http://example.org/', 'a.example/x', '*.example', 'a-b']) {
    assert.throws(() => parseUrlList(`ok.example\n${line}`), /^UsageError: line 2: /, line);
  }
});

test('words of a list match whole words in any script and position', () => {
  const words = (raw: string) => listWordsOf(canonicalize(raw)!);
  assert.deepEqual(words('https://My-Shop.example/a_b/%C3%9Cber-Uns?q=c+d'), [
    ...['my', 'shop', 'example', 'a', 'b', 'über', 'uns', 'q', 'c', 'd'],
  ]);
  assert.deepEqual(words('http://a.example/%FF/b'), ['a', 'example', 'ff', 'b']);
});
