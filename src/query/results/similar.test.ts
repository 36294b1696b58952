import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CandidateList } from './candidate-list.ts';
import { collapseNearDuplicates } from './similar.ts';

interface Row {
  identity?: number;
  headline?: number;
  content?: number;
  host?: string;
  urlFit?: number;
}

/**
 * Collapses near duplicates in a list of test rows. Returns, for each listed row, its number and the numbers of
 * its near duplicates.
 */
function collapsed(...rows: Row[]): number[][] {
  const list = new CandidateList(
    [
      {
        total: rows.length,
        isPartial: false,
        docs: [...rows.keys()],
        scores: Float64Array.from(rows, (_, at) => -at),
        fingerprints: BigInt64Array.from(rows, (_, at) => BigInt(at)),
        hosts: rows.map(({ host = 'a.example' }) => host),
        days: new Uint16Array(rows.length),
        types: rows.map(() => 'html'),
        languages: rows.map(() => 'en'),
        signatures: Uint32Array.from(
          rows.flatMap(({ identity = 7, headline = 8, content = 0xff00 }) => [
            ...[identity, headline, content, 1],
            ...new Array<number>(6).fill(2),
          ]),
        ),
        urlFits: Uint8Array.from(rows, ({ urlFit = 13 }) => urlFit),
        titleKeys: new Uint32Array(rows.length),
        translationKeys: new Uint32Array(rows.length),
        rough: { kind: 'not-needed' },
      },
    ],
    rows.length,
  );
  const { documents, similar } = collapseNearDuplicates(list.between(0, rows.length));
  return documents.map((document) => [document, ...(similar.get(document) ?? [])].map(({ at }) => at));
}

test('documents with equal names and nearly equal content are listed once', () => {
  assert.deepEqual(collapsed({}, { content: 0xfeff }, { content: 0xfcff }), [[0, 1], [2]]);
  assert.deepEqual(collapsed({}, {}, { identity: 9, headline: 9 }, {}), [[0, 1, 3], [2]]);
});

test('the site name in the title counts on one host, and not between hosts', () => {
  assert.deepEqual(collapsed({}, { identity: 9 }), [[0], [1]]);
  assert.deepEqual(collapsed({}, { identity: 9, host: 'b.example' }), [[0, 1]]);
});

test('documents without a signature are never collapsed', () => {
  const unknown = { identity: 0, headline: 0, content: 0 };
  assert.deepEqual(collapsed(unknown, unknown), [[0], [1]]);
});

test('the URL that fits best represents the others, at the place of the first', () => {
  const [poor, good] = [{ urlFit: 12 }, { urlFit: 14 }];
  const other = { identity: 9, headline: 9 };
  assert.deepEqual(collapsed(poor, other, good, good), [[2, 0, 3], [1]]);
});
