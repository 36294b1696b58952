import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import { type IndexDocument, IndexReader, IndexWriter } from '../../index/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { lookupsIn } from './index-lookups.ts';
import { addSegment, makeDocument, temporaryDirectory } from './naive.fixture.ts';

test('words with a prefix are found in all segments, the most common first', async (t) => {
  const reader = await readerOf(
    t,
    [makeDocument('https://a.example/1', 'connect connection other')],
    [makeDocument('https://a.example/2', 'connection conga'), makeDocument('https://a.example/3', 'con')],
  );
  const { wordsBeginning } = lookupsIn(reader, null, null);
  assert.deepEqual(wordsBeginning('con', 10, 100), ['connection', 'con', 'conga', 'connect']);
  assert.deepEqual(wordsBeginning('con', 2, 100), ['connection', 'con']);
  assert.deepEqual(wordsBeginning('zzz', 10, 100), []);
  reader.close();
});

test('content words of a page are frequent in it, rare elsewhere, and not only in this page', async (t) => {
  const reader = await readerOf(t, [
    makeDocument('https://a.example/1', 'the tide the tide the moon unheard', { title: 'Tide' }),
    makeDocument('https://a.example/2', 'the tide and the moon'),
    ...Array.from({ length: 10 }, (_, n) => makeDocument(`https://b.example/${n}`, 'the of and')),
  ]);
  const { tellingWords } = lookupsIn(reader, null, null);
  assert.deepEqual(tellingWords(canonicalize('https://a.example/1')!), ['tide', 'moon', 'the']);
  assert.deepEqual(tellingWords(canonicalize('https://a.example/9')!), []);
  reader.close();
});

test('a page is looked up by its own URL, or by the URL that links use', async (t) => {
  const reader = await readerOf(t, [makeDocument('https://a.example/1', 'tide')]);
  const [own, alias, unknown] = ['1', 'old', 'never'].map(
    (path) => canonicalize(`https://a.example/${path}`)!,
  );
  const links = {
    ...{ generation: 1, hasLinks: true, linksTo: () => [] },
    documentOf: (url: string) => (url === unknown ? null : own!),
  };
  const { documentOf } = lookupsIn(reader, links, null);
  assert.deepEqual(
    [own, alias, unknown].map((url) => documentOf(url!)),
    [own, own, null],
  );
  assert.equal(lookupsIn(reader, null, null).documentOf(alias!), null);
  reader.close();
});

async function readerOf(t: TestContext, ...segments: IndexDocument[][]): Promise<IndexReader> {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  for (const documents of segments) await addSegment(directory, writer, documents);
  writer.commit();
  writer.close();
  return new IndexReader(directory, silentLog);
}
