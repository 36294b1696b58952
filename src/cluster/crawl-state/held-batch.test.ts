/** Tests commits with rows of other nodes: pages of lost vnodes, and findings about pages of other nodes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CrawlBatch, Discovered } from '../../crawl/mod.ts';
import { emptyCommit } from '../../crawl/state/state.fixture.ts';
import { type CanonicalUrl, canonicalize, fingerprint, hostOf, partitionOf } from '../../url/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { openDatabases } from '../test-database.fixture.ts';
import { VnodeOwner } from '../vnode-owner.ts';
import { ALL_VNODES } from './crawl-state.fixture.ts';
import { PostgresCrawlState } from './postgres-crawl-state.ts';

const EVEN = ALL_VNODES.filter((vnode) => vnode % 2 === 0);

/** Returns a URL of a host whose vnode is even (`rest` is 0) or odd. */
function urlIn(rest: number, path: string): Discovered {
  for (let number = 0; ; number++) {
    const url = canonicalize(`https://h${number}.test/${path}`)!;
    if (partitionOf(hostOf(url)) % 2 === rest) return { url, fingerprint: fingerprint(url), depth: 0 };
  }
}

/** Opens the state of a node that owns all vnodes. `others` collects what its commits hand over. */
async function openNode(sql: ClusterDatabase) {
  const others: { lost: number; urls: CanonicalUrl[] }[] = [];
  await sql`update gyre.vnodes set owner = 'node', epoch = 1`;
  const state = new PostgresCrawlState(sql, new VnodeOwner(sql, 'node', 0), {
    onOthers: async (lost, discovered) => {
      others.push({ lost: lost.length, urls: discovered.map(({ url }) => url) });
    },
  });
  await state.hold(ALL_VNODES.map((vnode) => ({ vnode, epoch: 1 })));
  return { state, others };
}

function resultOf({ fingerprint: key }: Discovered): CrawlBatch['results'][number] {
  const reason = { code: 'page' } as const;
  return { fingerprint: key, state: 'done', attempts: 0, status: 200, reason, fetchedAt: 1 };
}

async function statesOf(sql: ClusterDatabase): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select url || ' ' || state as line from gyre.crawl_urls order by url collate "C"`;
  return rows.map(({ line }) => line);
}

test('a commit after a loss keeps the pages of the other vnodes, and hands over links', async (t) => {
  const [sql] = await openDatabases(t, 1);
  const { state, others } = await openNode(sql!);
  const [kept, lost] = [urlIn(0, 'page'), urlIn(1, 'page')];
  await state.commit({ ...emptyCommit(), discovered: [kept, lost] });
  await sql!`update gyre.vnodes set owner = 'next', epoch = 2 where vnode % 2 = 1`;
  const [link, foreign] = [urlIn(0, 'link'), urlIn(1, 'link')];
  const verdicts = new Map([
    [kept.fingerprint, null],
    [lost.fingerprint, { url: lost.url, kind: 'duplicate' as const, of: kept.url }],
  ]);
  const findings = { notes: new Map(), sketches: new Map(), claims: new Map(), reopened: new Set<bigint>() };
  await state.commit({
    ...emptyCommit(),
    results: [resultOf(kept), resultOf(lost)],
    discovered: [link, foreign],
    contents: new Map([['D', { url: lost.url, fetchedAt: 1, payloadDigest: 'P' }]]),
    findings: { ...findings, verdicts },
  });
  assert.deepEqual(others, [{ lost: 128, urls: [foreign.url] }]);
  assert.deepEqual(
    await statesOf(sql!),
    [`${kept.url} done`, `${link.url} ready`, `${lost.url} ready`].sort(),
    'the page of the lost vnode is still ready for its new owner',
  );
  assert.equal(await state.verdictOf(lost.url), null);
  assert.equal(await state.contentOwner('D'), null);
  assert.equal((await state.counts()).ready, 1, 'the state has only the vnodes that are left');
});

test('a finding about a page of another node is dropped, and the rest is committed', async (t) => {
  const [sql] = await openDatabases(t, 1);
  const { state, others } = await openNode(sql!);
  const [own, foreign] = [urlIn(0, 'own'), urlIn(1, 'foreign')];
  await state.commit({ ...emptyCommit(), discovered: [own, foreign] });
  await sql!`update gyre.crawl_urls set state = 'refused' where url = ${foreign.url}`;
  await sql!`update gyre.vnodes set owner = 'next', epoch = 2 where vnode % 2 = 1`;
  await state.hold(EVEN.map((vnode) => ({ vnode, epoch: 1 })));
  const none = { notes: new Map(), verdicts: new Map(), sketches: new Map(), claims: new Map() };
  const findings = { ...none, reopened: new Set([foreign.fingerprint]) };
  await state.commit({ ...emptyCommit(), results: [resultOf(own)], findings });
  assert.deepEqual(others, [{ lost: 0, urls: [] }]);
  assert.deepEqual(await statesOf(sql!), [`${own.url} done`, `${foreign.url} refused`].sort());
});
