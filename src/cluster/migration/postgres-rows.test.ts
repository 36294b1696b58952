/** Copies a crawl state from SQLite to PostgreSQL and back: every row must stay the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDirectory } from '../../base/mod.ts';
import { temporaryDirectory } from '../../archive/warc/warc.fixture.ts';
import {
  type CrawlBatch,
  openCrawlState,
  openStateRows,
  STATE_TABLES,
  type StateRow,
  type StateRowSource,
  StateRowWriter,
} from '../../crawl/mod.ts';
import { emptyCommit } from '../../crawl/state/state.fixture.ts';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../url/mod.ts';
import { openDatabases } from '../test-database.fixture.ts';
import { inTransaction } from '../transaction.ts';
import { finishStateRows, insertStateRows, postgresStateRows } from './postgres-rows.ts';

const ALL = 1_000;

function found(path: string) {
  const url = canonicalize(`https://a${path.length}.test${path}`)!;
  return { url, fingerprint: fingerprint(url), depth: path.length, verb: 'follow' as const };
}

/** A commit with something in every table. */
function fullBatch(): CrawlBatch {
  const [page, copy] = [found('/page'), found('/copy2')];
  const last = {
    ...{
      summary: { code: 'page' as const, changeKey: 1 },
      etag: '"e"',
      lastModified: 'L',
      robotsTag: 'noarchive',
    },
    ...{ digest: 'D', payloadDigest: 'P', archivedAt: 5, isDocument: true, sketch: 7, goneCount: 1 },
    ...{ intervalMs: 1000, dueAt: 2e12, hintedAt: 1e12 },
    history: {
      ...{ kind: 'page' as const, visitedAt: 5, revisits: 2, counted: 0.5, class: 'a' },
      changes: { shape: 1, days: 30 },
      links: { shape: 0.5, days: 30 },
    },
  };
  const host = {
    ...{ origin: new URL(page.url).origin, nextFetchAt: 12, delayMs: 34, failures: 1, waitReason: null },
    ...{ robots: { kind: 'rules' as const, body: Buffer.from('Disallow: /ü'), expiresAt: 99 }, links: 0 },
    ...{ parkedReason: null, address: '192.0.2.1', fetched: 6, useful: 5 },
  };
  const note = { origin: host.origin, kind: 'mirror' as const, value: '{"of":1}', notedAt: 8 };
  return {
    ...emptyCommit(),
    results: [
      {
        ...{ fingerprint: page.fingerprint, state: 'done', attempts: 1, status: 200 },
        reason: { code: 'page' },
        fetchedAt: 3,
        last,
      },
    ],
    hosts: [host],
    contents: new Map([['D', { url: page.url, fetchedAt: 3, payloadDigest: 'P' }]]),
    domainLinks: new Map([['a5.test', ['b.test', 'c.test']]]),
    findings: {
      notes: new Map([['mirror', note]]),
      verdicts: new Map([[copy.fingerprint, { url: copy.url, kind: 'duplicate' as const, of: page.url }]]),
      sketches: new Map([[page.fingerprint, 7]]),
      claims: new Map([[copy.fingerprint, { url: copy.url, target: page.url as CanonicalUrl }]]),
      reopened: new Set<bigint>(),
    },
  };
}

/** Reads all rows in pages of one row, without their cursors of hosts, which are numbers of one database. */
async function allRows(source: StateRowSource): Promise<Record<string, StateRow[]>> {
  const tables: Record<string, StateRow[]> = {};
  for (const table of STATE_TABLES) {
    const rows: StateRow[] = [];
    for (let after = ''; ; after = rows.at(-1)!.cursor) {
      const page = await source.rows(table, after, 1);
      if (page.length === 0) break;
      rows.push(...page);
    }
    assert.ok(rows.length > 0, `the table ${table} has rows`);
    tables[table] = rows.map((row) => ({
      ...row,
      cursor: table === 'host' ? '' : row.cursor,
      ...('robots_body' in row && { robots_body: String(row.robots_body).toLowerCase() }),
      ...('linked_from' in row && { linked_from: String(row.linked_from).toLowerCase() }),
    }));
  }
  return tables;
}

test('a crawl state is the same after it was copied to PostgreSQL and back', async (t) => {
  const [sql] = await openDatabases(t, 1);
  const [first, second] = [
    openDirectory(temporaryDirectory(t).path),
    openDirectory(temporaryDirectory(t).path),
  ];
  const state = openCrawlState(first);
  await state.useRules('rules');
  await state.commit({ ...emptyCommit(), discovered: [found('/page'), found('/copy2'), found('/ready/3')] });
  await state.commit(fullBatch());
  const [counts, domain] = [await state.counts(), await state.domain('a5.test')];
  state.close();
  const source = openStateRows(first);
  const expected = await allRows(source);
  await inTransaction(sql!, async (tx) => {
    for (const table of STATE_TABLES) await insertStateRows(tx, table, await source.rows(table, '', ALL), []);
    await finishStateRows(tx, await source.rulesKey());
  });
  source.close();
  const copy = postgresStateRows(sql!);
  assert.deepEqual(await allRows(copy), expected);
  assert.equal(await copy.rulesKey(), 'rules');
  const writer = new StateRowWriter(second);
  for (const table of STATE_TABLES) writer.write(table, await copy.rows(table, '', ALL));
  writer.finish({ warc: { file: 1, length: 0 }, journal: { file: 1, length: 0, records: 0 } }, 'rules');
  const back = openStateRows(second);
  assert.deepEqual(await allRows(back), expected);
  back.close();
  const again = openCrawlState(second);
  assert.deepEqual(await again.counts(), counts);
  assert.deepEqual(await again.domain('a5.test'), domain);
  await again.useRules('rules');
  assert.equal((await again.readyUrls('https://a8.test', 1))[0]!.verb, 'follow');
  const { added } = await again.commit({ ...emptyCommit(), discovered: [found('/page'), found('/another')] });
  assert.deepEqual(
    added.map(({ url }) => url),
    [found('/another').url],
  );
  again.close();
});
