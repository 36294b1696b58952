import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/mod.ts';
import { encodeDocument, pageOfDocument, parseDocument } from './document-record.ts';

function titleOf(title: string): string {
  return pageOfDocument({ url: canonicalize('https://a.example/')!, title, text: 'some words' })!.title;
}

test('a long title is cut like the title of a page, never within a character', () => {
  assert.equal(titleOf('word '.repeat(400_000)), 'word '.repeat(100).trimEnd());
  assert.equal(titleOf(`${'a'.repeat(499)}😀`), 'a'.repeat(499));
  assert.equal(titleOf(' Two\n words '), 'Two words');
});

test('all fields of a JSONL line are kept when it is imported and exported', () => {
  const line = {
    ...{ url: 'https://a.example/', title: 'Wale', text: 'Die Wale leben im Meer und nicht in den Flüssen.' },
    ...{ description: 'Über  Wale', language: 'DE', contentType: 'application/pdf' },
    ...{ publishedAt: '2020-01-02T03:04:05.000Z', fetchedAt: '2021-01-01T00:00:00.000Z' },
    links: [{ url: '/b', text: ' more ', nofollow: true }, { url: 'mailto:x@y.z' }, null],
  };
  const parsed = parseDocument(JSON.stringify(line), '');
  assert.ok('document' in parsed);
  const page = pageOfDocument(parsed.document)!;
  const { description, language, contentType, publishedAt, links } = page;
  assert.deepEqual(
    { description, language, contentType, publishedAt, links },
    {
      ...{ description: 'Über Wale', language: 'de', contentType: 'application/pdf' },
      publishedAt: Date.UTC(2020, 0, 2, 3, 4, 5),
      links: [{ url: 'https://a.example/b', text: 'more', nofollow: true }],
    },
  );
  assert.deepEqual(parseDocument(encodeDocument(parsed.document).toString(), ''), parsed);
});

test('malformed details are ignored, and the text is kept', () => {
  const odd = {
    language: 5,
    links: 'none',
    publishedAt: 'yesterday',
    date: '2020-01-02',
    contentType: '<b>',
  };
  const parsed = parseDocument(JSON.stringify({ id: 1, text: 'some words', ...odd }), 'news');
  assert.ok('document' in parsed);
  const page = pageOfDocument(parsed.document)!;
  assert.deepEqual([page.text, page.contentType, page.links], ['some words', 'text/plain', []]);
  assert.equal(page.publishedAt, undefined);
});
