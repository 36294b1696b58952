import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { ByteWriter, openDirectory } from '../src/base/mod.ts';
import { encodeKeys } from '../src/crawl/dedup/near-format.ts';
import { upgradeSchema } from '../src/crawl/sqlite-schema.ts';
import { writeHosts } from '../src/graph/hosts-file.ts';
import { writeRanks } from '../src/graph/ranks-writer.ts';
import { DocSet } from '../src/index/doc-set.ts';
import { encodeTable } from '../src/index/document-table.ts';
import { FIELD_WEIGHTS, Field } from '../src/index/fields.ts';
import { MANIFEST_NAME, writeManifest } from '../src/index/manifest.ts';
import { writeRankColumns } from '../src/index/rank-column.ts';
import { encodeRecord } from '../src/index/stored-record.ts';
import { STEMMINGS } from '../src/text/mod.ts';
import { type CanonicalUrl, fingerprint } from '../src/url/mod.ts';
import { encodeVocabulary, writePhrases, writeQueries, writeSynonyms } from '../src/words/mod.ts';
import { formatsPage } from './formats-page.ts';

const directory = openDirectory(mkdtempSync(join(tmpdir(), 'gyre-formats-')));
after(() => rmSync(directory.path, { recursive: true, force: true }));

const PAGE = formatsPage();
const HEX = PAGE.replace(/[^0-9A-F]+/g, '');
const ORIGIN = { generation: 3, docs: 9 };

/** What a writer leaves in its file. */
function fileOf(name: string, write: () => void): Buffer {
  write();
  return directory.read(name);
}

function bytesOf(write: (out: ByteWriter) => void): Buffer {
  const out = new ByteWriter();
  write(out);
  return out.view();
}

/** The worked examples of the page, each made by the code that makes the real thing. */
const EXAMPLES: Record<string, () => Buffer> = {
  'deleted documents': () => {
    const set = new DocSet(9);
    set.add(0);
    set.add(8);
    return fileOf('deletes', () => set.write(directory, 'deletes'));
  },
  'ranks of a segment': () => {
    const [rank, trust, none] = [Float32Array.of(2), Float32Array.of(0.5), Float32Array.of(0)];
    const hosts = { rank, trust, farm: none, concentration: none };
    const columns = { ranks: Float32Array.of(1, 0.5), hosts };
    return fileOf('column', () => writeRankColumns(directory, 'column', columns));
  },
  ranks: () => {
    const [lows, highs, nodeOf] = [Uint32Array.of(0x89abcdef), Uint32Array.of(0x01234567), Uint32Array.of(0)];
    const columns = { lows, highs, nodeOf, ranks: Float32Array.of(1), crawled: Uint8Array.of(1) };
    return fileOf('ranks-00000001.ranks', () => writeRanks(directory, 1, columns));
  },
  hosts: () => {
    const signals = {
      rank: 1,
      inHosts: 2,
      inDomains: 1,
      concentration: 0.5,
      reciprocity: 0,
      farm: 0,
      trust: 1,
    };
    return fileOf('hosts-00000001.hosts', () => writeHosts(directory, 1, ['a.org'], [signals]));
  },
  phrases: () => {
    const phrase = { text: 'Node.js', url: 'http://a/', weight: 2 };
    return fileOf('phrases.gyre', () => writePhrases(directory, ORIGIN, new Map([['node js', phrase]])));
  },
  synonyms: () => {
    const pair = { first: 'auto', second: 'car', weight: 0.5 };
    return fileOf('synonyms.gyre', () => writeSynonyms(directory, ORIGIN, [pair]));
  },
  queries: () => fileOf('queries.gyre', () => writeQueries(directory, new Map([['event loop', 300]]))),
  vocabulary: () => {
    const words = new Map([['at', 5]]);
    return encodeVocabulary(ORIGIN, { total: 8, words, pairs: new Map() }).subarray(0, 30);
  },
  'a stored document': () => {
    const texts = { title: 'A', description: '', language: 'en', text: 'Hi' };
    return bytesOf((out) => encodeRecord({ url: 'http://a/', fetchedAt: 300, ...texts }, out));
  },
  'the document table': () => {
    const names = { host: 'a.org', language: 'en', type: 'html' };
    const counts = { length: 2, titleLength: 1, urlDepth: 0, stemming: 0, day: 1, quality: 128 } as const;
    return bytesOf((out) => encodeTable([{ fingerprint: 1n, ...names, ...counts }], out));
  },
  'a sketch': () => encodeKeys(1n, { simLow: 2, simHigh: 3, bands: Uint32Array.of(4, 5, 6, 7, 8, 9) }, null),
};

for (const [name, make] of Object.entries(EXAMPLES)) {
  test(`the worked example of ${name} is what is written`, () => {
    const hex = make().toString('hex').toUpperCase();
    assert.ok(HEX.includes(hex), `docs/formats.md lacks ${hex.replace(/../g, '$& ')}`);
  });
}

test('the worked example of a manifest is what is written', () => {
  const sides = {
    deletes: 'seg-00000001.del-00000004',
    ranks: null,
    anchors: null,
    checksum: '5d3c01fa',
  };
  const segments = [{ file: 'seg-00000001.seg', docs: 9, deleted: 2, ...sides }];
  const journal = '00000003.journal';
  writeManifest(directory, { version: 1, id: '0b9f6f2c', generation: 4, nextSegment: 2, journal, segments });
  const text = directory.read(MANIFEST_NAME).toString();
  assert.ok(PAGE.includes(text), `docs/formats.md lacks ${text}`);
});

test('every column of crawl.db is named in the section of its tables', () => {
  const database = new DatabaseSync(':memory:');
  upgradeSchema(database, 'crawl.db');
  const section = sectionOf('`crawl.db`: its tables');
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
  assert.ok(tables.length > 0);
  for (const { name } of tables) {
    const described = new RegExp(`^${name} .*\\n((?:  .*\\n)+)`, 'm').exec(section)?.[1] ?? '';
    for (const column of database.prepare(`PRAGMA table_info(${name})`).all()) {
      assert.match(described, new RegExp(`\\b${column.name}\\b`), `${name}.${column.name}`);
    }
  }
  database.close();
});

test('the numbers of fields and stemmings, and a fingerprint, are what the page says', () => {
  const fields = sectionOf('Segments: fields and what they weigh');
  for (const [name, number] of Object.entries(Field)) {
    assert.match(fields, new RegExp(`^${name} +${number} +[\\d.]+ +${FIELD_WEIGHTS[number]}\\b`, 'm'));
  }
  const table = sectionOf('Segments: the document table');
  for (const [number, name] of STEMMINGS.entries())
    assert.match(table, new RegExp(`\\b${number} ${name}\\b`));
  const hex = BigInt.asUintN(64, fingerprint('https://example.org/' as CanonicalUrl)).toString(16);
  assert.match(sectionOf('Fingerprints of URLs'), new RegExp(`the fingerprint ${hex.padStart(16, '0')}`));
});

function sectionOf(heading: string): string {
  const [, section] = PAGE.split(`\n## ${heading}\n`);
  assert.ok(section, heading);
  return section.split('\n## ')[0]!;
}
