import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../base/mod.ts';
import type { AnchorTable } from '../graph/mod.ts';
import { openPhrases, openVocabulary, readSynonyms } from '../lexicon/mod.ts';
import { MarkKind } from '../page/mod.ts';
import { fingerprint } from '../url/mod.ts';
import { buildIndex } from './build.ts';
import { buildWords } from './build-words.ts';
import { goneRecord, pageRecord, temporaryDirectory, urlOf, writeJournal } from './journal.fixture.ts';

const ALLOWED = { index: true, follow: true, archive: true, snippet: true };

test('titles, headings and anchors of live pages become phrases, their words a vocabulary, their names synonyms', async (t) => {
  const root = temporaryDirectory(t);
  const [journal, index, words] = ['journal', 'index', 'words'].map((name) => root.directory(name));
  const heading = { start: 0, end: 10, kind: MarkKind.heading1 };
  await writeJournal(journal!, [
    [
      pageRecord('a', 'Old heading of an old text', { title: 'Old title', marks: [heading] }),
      pageRecord('b', 'gone soon'),
    ],
    [
      pageRecord('a', 'New header of a newer text', { title: 'New title', marks: [heading] }),
      goneRecord('b'),
    ],
  ]);
  await buildIndex({ journal: journal!, index: index!, ranks: null, log: silentLog });
  const anchors = anchorsOf({ a: 'new retitle', b: 'what they said' });
  const report = await buildWords({
    journal: journal!,
    index: index!,
    words: words!,
    anchors,
    log: silentLog,
  });
  assert.deepEqual(report, { pages: 1, phrases: 3, words: 7, synonyms: 1 });
  const phrases = openPhrases(words!)!;
  assert.deepEqual(
    [0, 1, 2].map((at) => phrases.phrase(at)).map(({ text, url }) => ({ text, url })),
    [
      { text: 'New header', url: '' },
      { text: 'new retitle', url: '' },
      { text: 'New title', url: urlOf('a') },
    ],
  );
  const vocabulary = openVocabulary(words!)!;
  assert.equal(vocabulary.counts[vocabulary.numberOf('new')], 5, 'four for the title, one for the text');
  assert.equal(vocabulary.numberOf('soon'), -1);
  assert.deepEqual(
    readSynonyms(words!).map(({ first, second }) => [first, second]),
    [['retitle', 'title']],
  );
});

test('a heading that may not be quoted is not suggested', async (t) => {
  const root = temporaryDirectory(t);
  const [journal, index, words] = ['journal', 'index', 'words'].map((name) => root.directory(name));
  const marks = [{ start: 0, end: 10, kind: MarkKind.heading1 }];
  await writeJournal(journal!, [
    [
      pageRecord('a', 'Secret one and a text', { marks, robots: { ...ALLOWED, snippet: false } }),
      pageRecord('b', 'Secret two and a text', { marks, robots: { ...ALLOWED, maxSnippet: 9 } }),
      pageRecord('c', 'Secret six and a text', { marks, noSnippet: [[0, 10]] }),
      pageRecord('d', 'Public one and a text', { marks, robots: { ...ALLOWED, maxSnippet: 10 } }),
    ],
  ]);
  await buildIndex({ journal: journal!, index: index!, ranks: null, log: silentLog });
  await buildWords({ journal: journal!, index: index!, words: words!, anchors: null, log: silentLog });
  const phrases = openPhrases(words!)!;
  const texts = Array.from({ length: phrases.count }, (_, at) => phrases.phrase(at).text);
  assert.deepEqual(
    texts.filter((text) => /secret|public/i.test(text)),
    ['Public one'],
  );
});

test('an aborted build leaves the old files', async (t) => {
  const root = temporaryDirectory(t);
  const [journal, index, words] = ['journal', 'index', 'words'].map((name) => root.directory(name));
  const stop = AbortSignal.abort();
  const options = {
    journal: journal!,
    index: index!,
    words: words!,
    anchors: null,
    log: silentLog,
    signal: stop,
  };
  assert.equal(await buildWords(options), null);
  assert.deepEqual(words!.list(), []);
});

function anchorsOf(texts: Record<string, string>): AnchorTable {
  const byKey = new Map(
    Object.entries(texts).map(([name, text]) => [fingerprint(urlOf(name)), [{ text, weight: 1 }]]),
  );
  return {
    generation: 1,
    count: byKey.size,
    textsOf: (key) => byKey.get(key) ?? [],
    entries: function* () {},
    close: () => undefined,
  };
}
