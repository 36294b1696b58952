import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STEMMERS, type StemmedLanguage } from './mod.ts';

const FIXTURE = new URL('../../../test/fixtures/stems.tsv', import.meta.url);

test('stems equal those of the Snowball implementation', () => {
  const lines = readFileSync(FIXTURE, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const seen = new Set<string>();
  for (const line of lines) {
    const [language, word, stem] = line.split('\t') as [StemmedLanguage, string, string];
    assert.equal(STEMMERS[language](word), stem, `${language} ${word}`);
    seen.add(language);
  }
  assert.deepEqual([...seen].sort(), Object.keys(STEMMERS).sort());
  assert.ok(lines.length > 3000);
});

test('a stemmer accepts any word', () => {
  const letters = ['', 'a', 'e', 's', 'y', 'ë', 'ю', "'", '1', '東'];
  for (const stem of Object.values(STEMMERS)) {
    for (const a of letters) {
      for (const b of letters) {
        for (const c of letters) assert.equal(typeof stem(a + b + c), 'string');
      }
    }
    assert.equal(typeof stem('ing'.repeat(30)), 'string');
  }
});
