import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteWriter } from '../../base/mod.ts';
import { decodeOpening, decodeRecord, encodeStoredRecord } from './stored-record.ts';

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

test('a document that is decoded without its parts keeps all other fields', () => {
  const names = { url: 'https://a.example/', title: 'Title', description: 'about', language: 'en' };
  const plain = { ...names, text: 'First\ncode\nlast', fetchedAt: 7, maxSnippet: 100, noCopy: true } as const;
  const headings = [{ level: 1, start: 0, end: 5 }];
  const code = [{ start: 6, end: 10, code: 'co\nde' }];
  const images = [{ url: 'https://a.example/i', label: 'one', context: 'two' }];
  const out = new ByteWriter();
  encodeStoredRecord({ ...plain, headings, code, images }, out);
  assert.deepEqual(decodeRecord(out.view(), 'test'), { ...plain, headings, code, images });
  assert.deepEqual(decodeRecord(out.view(), 'test', false), plain);
});
