import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../../base/mod.ts';
import { decodeOpening, encodeStoredRecord } from './stored-record.ts';

test('the opening of a document is the beginning of its text, whatever bytes its characters take', () => {
  const texts = ['', 'short', 'ascii '.repeat(50), 'ä'.repeat(90), '漢字'.repeat(90), 'a🦊'.repeat(90)];
  for (const text of texts) {
    const out = new ByteWriter();
    const names = { url: 'https://a.example/', title: 'Füchse', description: 'about', language: 'de' };
    encodeStoredRecord({ ...names, text, fetchedAt: 7 }, out);
    for (const length of [0, 1, 2, 3, 40, 41, 1000])
      assert.deepEqual(decodeOpening(out.view(), 'test', length), {
        title: 'Füchse',
        language: 'de',
        text: text.slice(0, length),
      });
  }
});
