/**
 * Conformance suite for implementations of `CrawlState`. A test of an implementation runs it with a factory of empty
 * states.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../url/mod.ts';
import {
  type CrawlState,
  type Discovered,
  fingerprintPages,
  type Owner,
  type UrlResult,
} from './crawl-state.ts';
import { emptyCommit } from './state.fixture.ts';

/** Opens the same stored state each time. At most one of the opened states may write. */
export type OpenState = (owner: Owner) => CrawlState;

const OWNER: Owner = { vnode: 0, epoch: 1 };

export function crawlStateConformance(name: string, place: (t: TestContext) => Promise<OpenState>): void {
  test(`${name}: discovered URLs are ready in order of depth and discovery, and only once`, async (t) => {
    const state = (await place(t))(OWNER);
    const discovered = [found('/b', 1), found('/a', 1), found('/', 0), found('/b', 1)];
    assert.equal((await state.commit({ ...emptyCommit(), discovered })).added.length, 3);
    assert.deepEqual((await state.commit({ ...emptyCommit(), discovered })).added, []);
    const ready = await state.readyUrls('https://a.test', 10);
    assert.deepEqual(
      ready.map(({ url }) => url),
      ['/', '/b', '/a'].map(urlOf),
    );
    assert.equal((await state.readyUrls('https://a.test', 2)).length, 2);
    assert.deepEqual(await state.readyUrls('https://unknown.test', 2), []);
    state.close();
  });

  test(`${name}: decisions of the URL rules count until the rules change`, async (t) => {
    const open = await place(t);
    const state = open(OWNER);
    await state.useRules('rules of Monday');
    const decided = { ...found('/1'), verb: 'index' as const };
    const follow = { ...found('/2'), verb: 'follow' as const };
    await state.commit({ ...emptyCommit(), discovered: [decided, follow, found('/3')] });
    const verbs = async (each: CrawlState) =>
      (await each.readyUrls('https://a.test', 10)).map(({ verb }) => verb);
    assert.deepEqual(await verbs(state), ['index', 'follow', null]);
    state.close();
    const again = open(OWNER);
    await again.useRules('rules of Monday');
    assert.deepEqual(await verbs(again), ['index', 'follow', null], 'the same rules');
    await again.useRules('rules of Tuesday');
    await again.commit({ ...emptyCommit(), discovered: [{ ...found('/4'), verb: 'follow' }] });
    assert.deepEqual(await verbs(again), [null, null, null, 'follow'], 'other rules');
    again.close();
  });

  test(`${name}: everything of a commit survives a restart`, async (t) => {
    const open = await place(t);
    const state = open(OWNER);
    await state.commit({ ...emptyCommit(), discovered: [found('/1'), found('/2')] });
    const owner = { url: urlOf('/1'), fetchedAt: 5, payloadDigest: 'P' };
    const note = { origin: 'https://a.test', kind: 'traps' as const, value: '{}', notedAt: 7 };
    const key = fingerprint(urlOf('/2'));
    const findings = {
      notes: new Map([['traps https://a.test', note]]),
      verdicts: new Map([[key, { url: urlOf('/2'), kind: 'duplicate' as const, of: urlOf('/1') }]]),
      sketches: new Map([[key, 3]]),
      claims: new Map([[key, { url: urlOf('/2'), target: urlOf('/1') }]]),
      reopened: new Set<bigint>(),
    };
    const results = [done('/1'), done('/2')];
    const rest = { contents: new Map([['D', owner]]), findings, seenBytes: 16, committedAt: 9 };
    await state.commit({ ...emptyCommit(), results, ...rest });
    state.close();
    const again = open(OWNER);
    const { ready, done: count } = await again.counts();
    assert.deepEqual([ready, count], [0, 2]);
    assert.deepEqual({ ...(await again.contentOwner('D')) }, owner);
    const notes = await again.notesOf(['https://a.test', 'https://b.test'], 'traps');
    assert.deepEqual(
      notes.map((each) => ({ ...each })),
      [note],
    );
    assert.deepEqual(await again.sketchesOf([key, 1n]), new Map([[key, 3]]));
    assert.deepEqual([...(await again.outcomesOf([key, 1n])).keys()], [key]);
    assert.equal((await again.verdictOf(urlOf('/2')))?.of, urlOf('/1'));
    assert.deepEqual(
      (await again.namesOf(urlOf('/1'))).map(({ url }) => url),
      [urlOf('/2')],
    );
    assert.equal((await again.claims(null, 10))[0]!.url, urlOf('/2'));
    assert.deepEqual(await again.claims(key, 10), []);
    assert.deepEqual([(await again.marks())?.seenBytes, await again.committedAt()], [16, 9]);
    again.close();
  });

  test(`${name}: a write of an earlier epoch is refused, and changes nothing`, async (t) => {
    const open = await place(t);
    const first = open(OWNER);
    await first.commit({ ...emptyCommit(), discovered: [found('/1')] });
    first.close();
    const successor = open({ vnode: 0, epoch: 2 });
    await successor.commit({ ...emptyCommit(), discovered: [found('/2')] });
    successor.close();
    const late = open(OWNER);
    await assert.rejects(late.commit({ ...emptyCommit(), discovered: [found('/3')] }), {
      code: 'stale-epoch',
    });
    await assert.rejects(late.pause('https://a.test', 99), { code: 'stale-epoch' });
    assert.equal((await late.host('https://a.test'))!.nextFetchAt, 0);
    assert.deepEqual(
      (await late.readyUrls('https://a.test', 9)).map(({ url }) => url),
      ['/1', '/2'].map(urlOf),
    );
    late.close();
  });

  test(`${name}: all known URLs can be read in pages`, async (t) => {
    const state = (await place(t))(OWNER);
    const discovered = Array.from({ length: 25 }, (_, page) => found(`/${page}`));
    await state.commit({ ...emptyCommit(), discovered });
    const expected = discovered.map((each) => each.fingerprint).sort((a, b) => (a < b ? -1 : 1));
    const read: bigint[] = [];
    for (let page = await state.fingerprints(null, 10); page.length > 0; ) {
      read.push(...page);
      page = await state.fingerprints(read.at(-1)!, 10);
    }
    assert.deepEqual(read, expected);
    const pages: bigint[] = [];
    for await (const page of fingerprintPages(state)) pages.push(...page);
    assert.deepEqual(pages, expected);
    state.close();
  });

  test(`${name}: hosts with work are read in pages, in order of discovery`, async (t) => {
    const state = (await place(t))(OWNER);
    const origins = Array.from({ length: 7 }, (_, host) => `https://h${(host * 5) % 7}.test`);
    const discovered = origins.map((origin) => foundAt(canonicalize(`${origin}/`)!));
    for (const each of discovered) await state.commit({ ...emptyCommit(), discovered: [each] });
    const read: string[] = [];
    for (let page = await state.frontHosts(0, '', 3); page.length > 0; ) {
      read.push(...page.map(({ origin }) => origin));
      page = await state.frontHosts(0, read.at(-1)!, 3);
    }
    assert.deepEqual(read, origins);
    await state.commit({
      ...emptyCommit(),
      results: [{ ...done('/'), fingerprint: discovered[0]!.fingerprint }],
    });
    state.drained(origins[0]!);
    await state.commit(emptyCommit());
    assert.equal((await state.frontHosts(0, '', 1))[0]!.origin, origins[1]);
    state.close();
  });

  test(`${name}: a URL that is due becomes ready again, and its host has work`, async (t) => {
    const state = (await place(t))(OWNER);
    await state.commit({ ...emptyCommit(), discovered: [found('/1')] });
    await state.commit({ ...emptyCommit(), results: [{ ...done('/1'), last: { ...LAST, dueAt: 50 } }] });
    assert.deepEqual(await state.wakeDue(49, 10), { origins: [], count: 0 });
    assert.deepEqual(await state.wakeDue(50, 10), { origins: ['https://a.test'], count: 1 });
    assert.equal((await state.readyUrls('https://a.test', 10))[0]!.url, urlOf('/1'));
    assert.equal((await state.lastCapture(fingerprint(urlOf('/1'))))!.dueAt, 0);
    state.close();
  });

  test(`${name}: content that its owner lost has no owner`, async (t) => {
    const state = (await place(t))(OWNER);
    const owner = { url: urlOf('/1'), fetchedAt: 5, payloadDigest: 'P' };
    await state.commit({ ...emptyCommit(), contents: new Map([['D', owner]]) });
    await state.commit({ ...emptyCommit(), contents: new Map([['D', { ...owner, url: urlOf('/2') }]]) });
    assert.equal((await state.contentOwner('D'))!.url, urlOf('/1'), 'the first owner stays');
    await state.commit({ ...emptyCommit(), released: new Map([['D', urlOf('/1')]]) });
    assert.equal(await state.contentOwner('D'), null);
    state.close();
  });
}

const LAST = {
  ...{
    summary: { code: 'page' as const, textKey: 1 },
    etag: '',
    lastModified: '',
    robotsTag: '',
    digest: '',
    payloadDigest: '',
    archivedAt: 1,
  },
  ...{ isDocument: true, sketch: null, goneCount: 0, intervalMs: 1, dueAt: 0 },
};

function urlOf(path: string): CanonicalUrl {
  return canonicalize(`https://a.test${path}`)!;
}

function found(path: string, depth = 0): Discovered {
  return foundAt(urlOf(path), depth);
}

function foundAt(url: CanonicalUrl, depth = 0): Discovered {
  return { url, fingerprint: fingerprint(url), depth };
}

function done(path: string): UrlResult {
  const key = fingerprint(urlOf(path));
  return {
    fingerprint: key,
    state: 'done',
    attempts: 0,
    status: 200,
    reason: { code: 'page' },
    fetchedAt: 1,
  };
}
