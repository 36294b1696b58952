import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { type Directory, Random, silentLog } from '../../base/mod.ts';
import { IndexReader, type OpenSegment, readManifest } from '../../index/mod.ts';
import type { JournalRecord } from '../../journal/mod.ts';
import { NaiveLexicon } from '../../lexicon/lexicon.fixture.ts';
import {
  nameOfTitle,
  openPhrases,
  openSegmentLexicon,
  PhraseUse,
  phraseOfText,
  phraseOfTitle,
  readSynonyms,
  type SegmentLexicon,
  USE_BITS,
} from '../../lexicon/mod.ts';
import { MarkKind } from '../../page/mod.ts';
import { fingerprint } from '../../url/mod.ts';
import { applyRanks } from '../apply-ranks.ts';
import { buildIndex } from '../build.ts';
import {
  failing,
  goneRecord,
  pageRecord,
  temporaryDirectory,
  urlOf,
  writeJournal,
} from '../journal.fixture.ts';
import { repairIndex } from '../repair.ts';

const ALLOWED = { index: true, follow: true, archive: true, snippet: true };
const VOCABULARY =
  'event loop http client server café Ærø 東京都 foo_bar unwrap_or_else C++ .NET x1 parser 2024'.split(' ');

/**
 * Returns a random journal record: a page with a few lines of random words and headings, or the removal of a
 * page.
 */
function randomRecord(random: Random): JournalRecord {
  const name = `page${random.below(30)}`;
  if (random.chance(0.2)) return goneRecord(name);
  const words = (count: number) => Array.from({ length: count }, () => random.pick(VOCABULARY)).join(' ');
  const lines = Array.from({ length: random.between(1, 6) }, () => words(random.between(1, 5)));
  const marks = random.chance(0.5) ? [{ start: 0, end: lines[0]!.length, kind: MarkKind.heading2 }] : [];
  return pageRecord(name, lines.join('\n'), { title: `${words(2)}${random.pick(['', ' | Site'])}`, marks });
}

/**
 * Counts the words and pairs of all documents of a segment in a naive way, to compare with its lexicon. Deleted
 * documents count too.
 */
function recount({ reader }: OpenSegment): NaiveLexicon {
  const naive = new NaiveLexicon();
  const uses = new Map<string, { text: string; usedBy: number[] }>();
  const use = (phrase: { key: string; text: string } | null, doc: number, bits: number) => {
    if (!phrase || phrase.key === '') return;
    const known = uses.get(phrase.key) ?? { text: phrase.text, usedBy: [] };
    uses.set(phrase.key, known);
    known.usedBy.push((doc << USE_BITS) | bits);
  };
  for (let doc = 0; doc < reader.docCount; doc++) {
    const { url, title, text, headings = [] } = reader.document(doc);
    naive.urls.push(url);
    naive.add(title, 4).add(text);
    const name = phraseOfTitle(nameOfTitle(title));
    use(name, doc, PhraseUse.name | (name?.isSuggested ? PhraseUse.title : 0));
    const whole = phraseOfTitle(title);
    if (nameOfTitle(title) !== title && whole?.isSuggested) use(whole, doc, PhraseUse.title);
    for (const { start, end } of headings) use(phraseOfText(text.slice(start, end)), doc, PhraseUse.heading);
  }
  for (const [key, { text, usedBy }] of uses)
    naive.phrases.push({ key, text, usedBy: usedBy.sort((a, b) => a - b) });
  return naive;
}

/** Returns the contents of a lexicon as plain values that a test can compare. */
function contents(lexicon: SegmentLexicon) {
  const { words } = lexicon;
  const texts = words.allWords();
  const pairs = texts.flatMap((first, number) => {
    const followers: string[] = [];
    words.eachFollower(number, (second, count) => followers.push(`${first} ${texts[second]} ${count}`));
    return followers;
  });
  const phrases = Array.from({ length: lexicon.phraseCount }, (_, at) => lexicon.phraseAt(at));
  return {
    total: words.total,
    words: texts.map((word, number) => `${word} ${words.counts[number]}`),
    pairs,
    phrases: phrases.map(({ key, usedBy }) => ({ key, usedBy })),
    urls: Array.from({ length: lexicon.docCount }, (_, doc) => lexicon.urlOf(doc)),
  };
}

/** Checks that the lexicon of every segment equals a naive count over its documents. */
function assertRecounted(index: Directory, note: string): void {
  const reader = new IndexReader(index, silentLog);
  const entries = readManifest(index).segments;
  assert.equal(reader.segments.length, entries.length);
  for (const [i, segment] of reader.segments.entries()) {
    const { lexicon, docs } = entries[i]!;
    const read = openSegmentLexicon(index, lexicon!, docs);
    assert.deepEqual(contents(read), contents(recount(segment).asRead()), note);
  }
  reader.close();
}

function lexiconsOf(index: Directory): string[] {
  return readManifest(index).segments.map(({ lexicon }) => lexicon!);
}

test('the lexicon of every segment equals a recount, also after updates, deletes and merges', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  const [journal, index] = [temporaryDirectory(t), temporaryDirectory(t)];
  let merges = 0;
  for (let round = 0; round < 8; round++) {
    await writeJournal(journal, [Array.from({ length: 10 }, () => randomRecord(random))]);
    const flushBytes = random.chance(0.5) ? 1 : 10_000_000;
    merges += (await buildIndex({ journal, index, ranks: null, log: silentLog, flushBytes })).merges;
    assertRecounted(index, `seed ${seed}, round ${round}`);
  }
  assert.ok(merges > 0);
});

test('a build that is killed at any write leaves lexicons that fit their segments, and no other files', async (t) => {
  const random = new Random(testSeed());
  const journal = temporaryDirectory(t);
  const options = { journal, ranks: null, log: silentLog };
  await writeJournal(journal, [Array.from({ length: 6 }, () => randomRecord(random))]);
  const before = temporaryDirectory(t);
  await buildIndex({ ...options, index: before });
  await writeJournal(journal, [Array.from({ length: 6 }, () => randomRecord(random))]);
  for (let failAt = 1, isKilled = true; isKilled; failAt++) {
    const index = temporaryDirectory(t);
    for (const name of before.list()) index.replace(name, before.read(name));
    isKilled = await buildIndex({ ...options, index: failing(index, failAt) }).then(
      () => false,
      () => true,
    );
    assertRecounted(index, `killed at write ${failAt}`);
    await buildIndex({ ...options, index });
    assertRecounted(index, `after the build that follows write ${failAt}`);
    const files = index.list().filter((name) => name.includes('.lex-'));
    assert.deepEqual(files.sort(), lexiconsOf(index).sort());
  }
});

test('a damaged or missing lexicon is written again by a repair, without the journal', async (t) => {
  const random = new Random(testSeed());
  const [journal, index] = [temporaryDirectory(t), temporaryDirectory(t)];
  for (let round = 0; round < 2; round++) {
    await writeJournal(journal, [Array.from({ length: 8 }, () => randomRecord(random))]);
    await buildIndex({ journal, index, ranks: null, log: silentLog });
  }
  const [first, second] = lexiconsOf(index);
  index.replace(first!, Buffer.from('GYL1 and then nothing of sense'));
  index.remove(second!);
  const report = await repairIndex({ journal, index, ranks: null, log: silentLog });
  assert.deepEqual(report.lexicons.sort(), [first, second].sort());
  assert.deepEqual([report.damaged, report.restored], [[], 0]);
  assertRecounted(index, 'after the repair');
});

test('a build writes the lexicons of segments that have none, and a merge does not need them', async (t) => {
  const random = new Random(testSeed());
  const [journal, index] = [temporaryDirectory(t), temporaryDirectory(t)];
  for (let round = 0; round < 7; round++) {
    await writeJournal(journal, [Array.from({ length: 5 }, () => randomRecord(random))]);
    await buildIndex({ journal, index, ranks: null, log: silentLog });
  }
  for (const name of lexiconsOf(index)) index.remove(name);
  await writeJournal(journal, [[pageRecord('last', 'the last page')]]);
  const { merges } = await buildIndex({ journal, index, ranks: null, log: silentLog });
  assert.equal(merges, 1);
  assertRecounted(index, 'after the merge');
});

test('a heading that may not be quoted, and words of feeds, are not in the lexicon', async (t) => {
  const [journal, index] = [temporaryDirectory(t), temporaryDirectory(t)];
  const marks = [{ start: 0, end: 10, kind: MarkKind.heading1 }];
  await writeJournal(journal, [
    [
      pageRecord('a', 'Secret one and a text', { marks, robots: { ...ALLOWED, snippet: false } }),
      pageRecord('b', 'Secret two and a text', { marks, robots: { ...ALLOWED, maxSnippet: 9 } }),
      pageRecord('c', 'Secret six and a text', { marks, noSnippet: [[0, 10]] }),
      pageRecord('d', 'Public one and a text', { marks, robots: { ...ALLOWED, maxSnippet: 10 } }),
      pageRecord('e', 'Entry text', { title: 'A feed', kind: 'feed' }),
    ],
  ]);
  await buildIndex({ journal, index, ranks: null, log: silentLog });
  const [entry] = readManifest(index).segments;
  const { phrases, words } = contents(openSegmentLexicon(index, entry!.lexicon!, entry!.docs));
  const keys = phrases.map(({ key }) => key);
  assert.deepEqual(
    keys.filter((key) => /secret|public|feed/.test(key)),
    ['public one'],
  );
  assert.ok(!words.some((word) => word.startsWith('entry')));
});

test('a rank run writes the anchor texts of live pages, and synonyms of their names', async (t) => {
  const root = temporaryDirectory(t);
  const [journal, index, words] = ['journal', 'index', 'words'].map((name) => root.directory(name));
  await writeJournal(journal!, [
    [pageRecord('a', 'a text', { title: 'New title' }), pageRecord('b', 'gone soon')],
    [goneRecord('b')],
  ]);
  await buildIndex({ journal: journal!, index: index!, ranks: null, log: silentLog, flushBytes: 1 });
  const texts = new Map([
    [fingerprint(urlOf('a')), [{ text: 'new retitle', weight: 1 }]],
    [fingerprint(urlOf('b')), [{ text: 'what they said', weight: 1 }]],
  ]);
  const anchors = {
    generation: 1,
    count: 2,
    textsOf: (key: bigint) => texts.get(key) ?? [],
    entries: function* () {},
    close: () => undefined,
  };
  applyRanks({ index: index!, words: words! }, { ranks: null, anchors });
  const phrases = openPhrases(words!)!;
  assert.deepEqual([phrases.count, phrases.phrase(0).text, phrases.popularity[0]], [1, 'new retitle', 2]);
  assert.deepEqual(
    readSynonyms(words!).map(({ first, second }) => [first, second]),
    [['retitle', 'title']],
  );
});
