/** The files beside journal and index: ranks, graphs, lexicons, vectors, topics, sketches, known URLs, lists of operators. */
import assert from 'node:assert/strict';
import { sealJson } from '../../../src/base/mod.ts';
import { readAccess } from '../../../src/cli/access/accounts-file.ts';
import { changeSettings, readChanges } from '../../../src/cli/changes/setting-changes.ts';
import { readRemovals, removedBy } from '../../../src/cli/removals/removal-list.ts';
import { BINS_FILE, KEYS_FILE } from '../../../src/crawl/duplicates/near-format.ts';
import { checkSketches, NearLog } from '../../../src/crawl/duplicates/near-log.ts';
import { SeenLog } from '../../../src/crawl/frontier/seen-log.ts';
import { SeenRun } from '../../../src/crawl/frontier/seen-run.ts';
import { SeenSet } from '../../../src/crawl/frontier/seen-set.ts';
import { topicOfWords } from '../../../src/crawl/topics/train-topic.ts';
import { TopicClassifier } from '../../../src/crawl/topics/mod.ts';
import { readTopic, writeTopic } from '../../../src/crawl/topics/topic-format.ts';
import { openRanks } from '../../../src/graph/ranks-reader.ts';
import { writeRanks } from '../../../src/graph/ranks-writer.ts';
import { GraphFile } from '../../../src/graph/tiles/tiles-reader.ts';
import { GraphBuilder } from '../../../src/graph/tiles/tiles-writer.ts';
import {
  emptyColumn,
  readVectors,
  setVector,
  writeVectorColumn,
} from '../../../src/index/vectors/vector-column.ts';
import { NaiveLexicon } from '../../../src/lexicon/lexicon.fixture.ts';
import { openPhrases } from '../../../src/lexicon/phrases-reader.ts';
import { writePhrases } from '../../../src/lexicon/phrases-writer.ts';
import { readQueries } from '../../../src/lexicon/queries-reader.ts';
import { writeQueries } from '../../../src/lexicon/queries-writer.ts';
import { readSynonyms, writeSynonyms } from '../../../src/lexicon/synonyms-format.ts';
import { openSegmentLexicon } from '../../../src/lexicon/segments/segment-lexicon-reader.ts';
import { writeSegmentLexicon } from '../../../src/lexicon/segments/segment-lexicon-writer.ts';
import { sketchOf } from '../../../src/sketch/sketch.ts';
import { canonicalize } from '../../../src/url/mod.ts';
import { storedFileTarget } from '../stored-file.ts';
import { checkValue, type FuzzTarget } from '../target.ts';

const ORIGIN = { generation: 3, docs: 2 };
const JSON_WORDS = ['null', '[]', '{}', '-1', '1e999', '"__proto__":', '[null]', '"format": 1', 'true', '""'];
const DIMENSION = 64;
const DOCS = 3;
const LEXICON = 'seg-00000001.lex-00000001';
const SEEN_KEYS = [1n, 2n, 0x0123456789abcdefn];
const PAGE = canonicalize('https://example.org/a')!;

function rankColumns(): Parameters<typeof writeRanks>[2] {
  return {
    lows: Uint32Array.of(1, 2, 3),
    highs: Uint32Array.of(9, 8, 7),
    nodeOf: Uint32Array.of(0, 1, 2),
    ranks: Float32Array.of(0.5, 0.3, 0.2),
    crawled: Uint8Array.of(1, 0, 1),
  };
}

export const STORED_FILE_TARGETS: readonly FuzzTarget[] = [
  storedFileTarget({
    name: 'ranks',
    about: 'a rank file: a CorruptError or a table that finds ranks, in memory and on disk',
    file: 'ranks-00000001.ranks',
    seal: 'binary',
    write: (directory) => writeRanks(directory, 1, rankColumns()),
    read(directory) {
      for (const residentBytes of [Number.POSITIVE_INFINITY, 0]) {
        const ranks = openRanks(directory, residentBytes);
        try {
          for (const key of [(9n << 32n) | 1n, 5n])
            checkValue([
              ranks?.rankOf(key),
              ranks?.relativeRankOf(key),
              ranks?.nodeOf(key),
              ranks?.isCrawled(key),
            ]);
        } finally {
          ranks?.close();
        }
      }
    },
  }),
  storedFileTarget({
    name: 'graph-tiles',
    about: 'a graph file: a CorruptError or its edges',
    file: 'web.graph',
    seal: 'binary',
    write(directory) {
      const builder = new GraphBuilder(directory, 'web.graph', { nodeCount: 4, weights: [1, 0.5] });
      builder.add(0, 1);
      builder.add(2, 1, 1);
      builder.add(3, 0);
      builder.finish();
    },
    read(directory) {
      const graph = new GraphFile(directory, 'web.graph');
      try {
        graph.forEachEdge((source, target) => assert.ok(source >= 0 && target >= 0));
        if (graph.shape.nodeCount > 1) graph.sourcesOf(1);
      } finally {
        graph.close();
      }
    },
  }),
  storedFileTarget({
    name: 'phrases',
    about: 'the phrases of anchor texts: a CorruptError or a table that suggests',
    file: 'phrases.gyre',
    seal: 'binary',
    write(directory) {
      const phrases = ['high tide', 'moon', 'tide tables'].map(
        (text, at) => [text, { text, popularity: at + 1 }] as const,
      );
      writePhrases(directory, ORIGIN, new Map(phrases));
    },
    read(directory) {
      const table = openPhrases(directory);
      if (!table) return;
      table.find(Buffer.from('moon'));
      for (let at = 0; at < table.count; at++) checkValue(table.phrase(at));
    },
  }),
  storedFileTarget({
    name: 'segment-lexicon',
    about: 'the lexicon of a segment: a CorruptError, or words, pairs and phrases',
    file: LEXICON,
    seal: 'binary',
    write(directory) {
      const lexicon = new NaiveLexicon().add('the moon pulls the sea\nhigh tide of the sea');
      lexicon.phrases.push(
        { key: 'moon', text: 'Moon', usedBy: [1] },
        { key: 'sea', text: 'sea', usedBy: [1, 9] },
      );
      lexicon.urls.push('https://a.example/', 'https://b.example/');
      writeSegmentLexicon(directory, LEXICON, lexicon.columns());
    },
    read(directory) {
      const lexicon = openSegmentLexicon(directory, LEXICON, 2);
      const { words, phraseCount } = lexicon;
      words.allWords();
      words.together(words.numberOf('the'), words.numberOf('sea'));
      for (let word = 0; word < words.size; word++) {
        checkValue(words.wordAt(word));
        words.eachFollower(word, (second) => assert.ok(second < words.size));
      }
      for (let at = 0; at < phraseCount; at++) checkValue(lexicon.phraseAt(at));
      for (let doc = 0; doc < 2; doc++) checkValue(lexicon.urlOf(doc));
    },
  }),
  storedFileTarget({
    name: 'synonyms',
    about: 'the mined synonyms: a CorruptError or pairs',
    file: 'synonyms.gyre',
    seal: 'binary',
    write: (directory) => writeSynonyms(directory, ORIGIN, [{ first: 'sea', second: 'ocean', weight: 0.5 }]),
    read: (directory) => checkValue(readSynonyms(directory)),
  }),
  storedFileTarget({
    name: 'popular-queries',
    about: 'the counts of queries: a CorruptError or counts',
    file: 'queries.gyre',
    seal: 'binary',
    write: (directory) =>
      writeQueries(
        directory,
        new Map([
          ['moon', 7],
          ['high tide', 300],
        ]),
      ),
    read: (directory) => checkValue([...readQueries(directory)]),
  }),
  storedFileTarget({
    name: 'vectors',
    about: 'the vectors of a segment: a CorruptError or vectors that can be compared',
    file: 'seg-00000001.vec-00000001',
    seal: 'binary',
    write(directory) {
      const column = emptyColumn('model-1', DIMENSION, DOCS);
      setVector(
        column,
        1,
        Int8Array.from({ length: DIMENSION }, (_, at) => at - 32),
      );
      writeVectorColumn(directory, 'seg-00000001.vec-00000001', column);
    },
    read(directory) {
      const vectors = readVectors(directory, 'seg-00000001.vec-00000001', DOCS);
      const query = Int8Array.from({ length: vectors.dimension }, (_, at) => (at % 100) - 50);
      assert.equal(vectors.compare(query).length, DOCS);
      assert.equal(vectors.compareClosest(query).length, DOCS);
      for (let doc = 0; doc < DOCS; doc++) checkValue([vectors.has(doc), vectors.compareOne(doc, query)]);
      vectors.vectorAt(1);
    },
  }),
  storedFileTarget({
    name: 'topic',
    about: 'the classifier of a topic: a CorruptError or a classifier',
    file: 'sea.topic',
    seal: 'binary',
    write(directory) {
      const words = ['tide', 'moon', 'keel'];
      const trained = { source: 'words', words, onTopic: 0, others: 0 } as const;
      writeTopic(directory, 'sea', { ...trained, classifier: topicOfWords(words) });
    },
    read(directory) {
      const topic = readTopic(directory, 'sea');
      if (topic) new TopicClassifier(topic.classifier);
      checkValue(topic);
    },
  }),
  ...[KEYS_FILE, BINS_FILE].map((file) =>
    storedFileTarget({
      name: file.replace('.', '-'),
      about: 'a sketch file: a CorruptError or the sketches',
      file,
      seal: 'binary',
      async write(directory) {
        const log = new NearLog(directory, 0);
        log.append(1n, sketchOf('the moon pulls the sea '.repeat(20)), null);
        log.append(2n, sketchOf('a tide table of the coast '.repeat(20)), 0);
        await log.flush();
        log.close();
      },
      read: (directory) => checkSketches(directory, 2),
    }),
  ),
  storedFileTarget({
    name: 'seen-log',
    about: 'the log of known URLs: a CorruptError or the set',
    file: 'seen.log',
    seal: 'binary',
    async write(directory) {
      const log = await SeenLog.rebuild(directory, pagesOf(SEEN_KEYS), new SeenSet());
      await log.flush();
      log.close();
    },
    async read(directory) {
      const log = await SeenLog.open(directory, { seenBytes: directory.sizeOf('seen.log') }, new SeenSet());
      log.close();
    },
  }),
  storedFileTarget({
    name: 'seen-run',
    about: 'a run of known URLs: a CorruptError or a run that finds its fingerprints',
    file: 'run-00000000000-00000000003',
    seal: 'binary',
    async write(directory) {
      const stretch = { first: 0, end: 3, check: 0 };
      const { run, sealed } = SeenRun.write(directory, stretch, BigUint64Array.from(SEEN_KEYS), []);
      await sealed;
      run.close();
    },
    read(directory) {
      const run = SeenRun.open(directory, 'run-00000000000-00000000003');
      try {
        const block = run.blockOf(2, 0);
        if (block >= 0) run.readBlock(block);
      } finally {
        run.close();
      }
    },
  }),
  storedFileTarget({
    name: 'accounts-file',
    about: 'accounts.json: a CorruptError or accounts of the declared form',
    file: 'accounts.json',
    seal: 'json',
    words: [...JSON_WORDS, '"accounts": [', '"keys": [', '"role": "viewer"'],
    write(directory) {
      const account = {
        name: 'olga',
        role: 'operator',
        password: 'scrypt$15$8$1$AA$BB',
        changedAt: 1_700_000_000_000,
      };
      const key = { name: 'monitor', role: 'viewer', digest: 'ab12', createdAt: 1_700_000_000_000 };
      directory.replace('accounts.json', sealJson({ format: 1, accounts: [account], keys: [key] }));
    },
    read(directory) {
      const { accounts, keys } = readAccess(directory);
      for (const { name, role, password, changedAt } of accounts) {
        assert.ok(['viewer', 'operator'].includes(role) && typeof password === 'string');
        assert.ok(typeof name === 'string' && Number.isFinite(changedAt));
      }
      for (const { name, role, digest, createdAt } of keys) {
        assert.ok(['viewer', 'operator'].includes(role) && typeof digest === 'string');
        assert.ok(typeof name === 'string' && Number.isFinite(createdAt));
      }
    },
  }),
  storedFileTarget({
    name: 'removals-file',
    about: 'removed.json: a CorruptError or a list that can be asked',
    file: 'removed.json',
    seal: 'json',
    words: [...JSON_WORDS, '"rules": [', '"kind": "host"', '"value": "example.org"', '"purge": "pending"'],
    write(directory) {
      const rule = { kind: 'url', value: PAGE, removedAt: 1_700_000_000_000, purge: 'no' };
      const rules = [rule, { ...rule, kind: 'host', value: 'https://b.example' }];
      directory.replace('removed.json', sealJson({ format: 1, revision: 2, settled: 1, rules }));
    },
    read(directory) {
      const list = readRemovals(directory);
      removedBy(list).matches(PAGE);
      assert.ok(Number.isSafeInteger(list.revision) && Number.isSafeInteger(list.settled));
      for (const { kind, value, purge } of list.rules) {
        assert.ok(['url', 'prefix', 'host'].includes(kind) && typeof value === 'string');
        assert.ok(['no', 'pending', 'done'].includes(purge));
      }
    },
  }),
  storedFileTarget({
    name: 'settings-file',
    about: 'settings.json: a CorruptError or changed settings',
    file: 'settings.json',
    seal: 'json',
    words: [...JSON_WORDS, '"settings": {', '"crawl.delay": "2s"'],
    write: (directory) => changeSettings(directory, () => ({ 'crawl.delay': '2s' })),
    read(directory) {
      const changes = readChanges(directory);
      assert.ok(typeof changes === 'object' && !Array.isArray(changes));
      checkValue(changes);
    },
  }),
];

async function* pagesOf(keys: readonly bigint[]): AsyncGenerator<readonly bigint[]> {
  yield keys;
}
