/**
 * Conformance suite for implementations of `CrawlState`. A test of an implementation runs it with a factory of empty
 * states.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type CanonicalUrl, canonicalize, fingerprint } from '../../url/mod.ts';
import type { FindingsBatch } from './crawl-knowledge.ts';
import {
  type CrawlBatch,
  type CrawlState,
  type Discovered,
  fingerprintPages,
  type HostRow,
  type LastCapture,
  type Owner,
  type UrlResult,
  type UrlState,
} from './crawl-state.ts';
import type { HostFailure } from './reasons.ts';
import { emptyCommit } from './state.fixture.ts';

/** Opens the same stored state each time. At most one of the opened states may write. */
export type OpenState = (owner: Owner) => Promise<CrawlState>;

const OWNER: Owner = { vnode: 0, epoch: 1 };

export function crawlStateConformance(name: string, place: (t: TestContext) => Promise<OpenState>): void {
  test(`${name}: discovered URLs are ready in order of depth and discovery, and only once`, async (t) => {
    const state = await (await place(t))(OWNER);
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

  test(`${name}: the most relevant URLs of a host come first, also after a restart`, async (t) => {
    const open = await place(t);
    const state = await open(OWNER);
    const discovered = [found('/1'), { ...found('/2'), relevance: 20 }, { ...found('/3'), relevance: 255 }];
    await state.commit({ ...emptyCommit(), discovered });
    state.close();
    const again = await open(OWNER);
    const ready = await again.readyUrls('https://a.test', 2);
    assert.deepEqual(
      ready.map(({ url, relevance }) => [url, relevance]),
      [
        ['https://a.test/3', 255],
        ['https://a.test/2', 20],
      ],
    );
    again.close();
  });

  test(`${name}: decisions of the URL rules count until the rules change`, async (t) => {
    const open = await place(t);
    const state = await open(OWNER);
    await state.useRules('rules of Monday');
    const decided = { ...found('/1'), verb: 'index' as const };
    const follow = { ...found('/2'), verb: 'follow' as const };
    await state.commit({ ...emptyCommit(), discovered: [decided, follow, found('/3')] });
    const verbs = async (each: CrawlState) =>
      (await each.readyUrls('https://a.test', 10)).map(({ verb }) => verb);
    assert.deepEqual(await verbs(state), ['index', 'follow', null]);
    state.close();
    const again = await open(OWNER);
    await again.useRules('rules of Monday');
    assert.deepEqual(await verbs(again), ['index', 'follow', null], 'the same rules');
    await again.useRules('rules of Tuesday');
    await again.commit({ ...emptyCommit(), discovered: [{ ...found('/4'), verb: 'follow' }] });
    assert.deepEqual(await verbs(again), [null, null, null, 'follow'], 'other rules');
    again.close();
  });

  test(`${name}: other URL rules decide again about the URLs that the last ones refused`, async (t) => {
    const state = await (await place(t))(OWNER);
    await state.useRules('rules of Monday');
    const byRule = {
      ...done('/1'),
      state: 'refused' as const,
      reason: { code: 'url-rule' as const, rule: 'x' },
    };
    const byRobots = { ...done('/2'), state: 'refused' as const };
    await state.commit({ ...emptyCommit(), discovered: [found('/1'), found('/2')] });
    await state.commit({ ...emptyCommit(), results: [byRule, byRobots] });
    state.drained('https://a.test');
    await state.commit(emptyCommit());
    await state.useRules('rules of Monday');
    assert.deepEqual(await state.readyUrls('https://a.test', 10), []);
    await state.useRules('rules of Tuesday');
    const ready = await state.readyUrls('https://a.test', 10);
    assert.deepEqual(
      ready.map(({ url, verb }) => [url, verb]),
      [[urlOf('/1'), null]],
    );
    assert.equal((await state.hostsWithWork()).length, 1);
    assert.equal((await state.counts()).refused, 1);
    state.close();
  });

  test(`${name}: everything of a commit survives a restart`, async (t) => {
    const open = await place(t);
    const state = await open(OWNER);
    await state.commit({ ...emptyCommit(), discovered: [found('/1'), found('/2')] });
    const owner = { url: urlOf('/1'), fetchedAt: 5, payloadDigest: 'P' };
    const note = { origin: 'https://a.test', kind: 'traps' as const, value: '{}', notedAt: 7 };
    const key = fingerprint(urlOf('/2'));
    const learned = findings({
      notes: new Map([['traps https://a.test', note]]),
      verdicts: new Map([[key, { url: urlOf('/2'), kind: 'duplicate' as const, of: urlOf('/1') }]]),
      sketches: new Map([[key, 3]]),
      claims: new Map([[key, { url: urlOf('/2'), target: urlOf('/1') }]]),
    });
    const results = [done('/1'), done('/2')];
    const rest = { contents: new Map([['D', owner]]), findings: learned, seenBytes: 16, committedAt: 9 };
    await state.commit({ ...emptyCommit(), results, ...rest });
    state.close();
    const again = await open(OWNER);
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
    const first = await open(OWNER);
    await first.commit({ ...emptyCommit(), discovered: [found('/1')] });
    first.close();
    const successor = await open({ vnode: 0, epoch: 2 });
    await successor.commit({ ...emptyCommit(), discovered: [found('/2')] });
    successor.close();
    const late = await open(OWNER);
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
    const state = await (await place(t))(OWNER);
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
    const state = await (await place(t))(OWNER);
    const origins = Array.from({ length: 7 }, (_, host) => `https://h${(host * 5) % 7}.test`);
    const discovered = origins.map((origin) => found(`${origin}/`));
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
    const state = await (await place(t))(OWNER);
    await state.commit({ ...emptyCommit(), discovered: [found('/1')] });
    await state.commit({ ...emptyCommit(), results: [{ ...done('/1'), last: { ...LAST, dueAt: 50 } }] });
    assert.deepEqual(await state.wakeDue(49, 10), { origins: [], count: 0 });
    assert.deepEqual(await state.wakeDue(50, 10), { origins: ['https://a.test'], count: 1 });
    assert.equal((await state.readyUrls('https://a.test', 10))[0]!.url, urlOf('/1'));
    assert.equal((await state.lastCapture(fingerprint(urlOf('/1'))))!.dueAt, 0);
    state.close();
  });

  test(`${name}: known URLs become ready at once if a person asks for them`, async (t) => {
    const state = await (await place(t))(OWNER);
    await state.commit({ ...emptyCommit(), discovered: [found('/1'), found('/2')] });
    await state.commit({ ...emptyCommit(), results: [{ ...done('/1'), last: { ...LAST, dueAt: 50 } }] });
    const keys = ['/1', '/2', '/unknown'].map((path) => fingerprint(urlOf(path)));
    assert.deepEqual(await state.wake(keys), { origins: ['https://a.test'], count: 1 });
    assert.deepEqual(await state.wake(keys), { origins: [], count: 0 });
    assert.equal((await state.readyUrls('https://a.test', 10)).length, 2);
    assert.equal((await state.wakeDue(99, 10)).count, 0, 'its revisit is no longer planned');
    state.close();
  });

  test(`${name}: all URLs of a host become ready at once, and its parking ends`, async (t) => {
    const state = await (await place(t))(OWNER);
    const discovered = [...['/1', '/2', '/3'].map((path) => found(path)), found('https://b.test/')];
    await state.commit({ ...emptyCommit(), discovered });
    const [host] = (await state.hostsWithWork()).filter(({ origin }) => origin === 'https://a.test');
    const isLong = { ...(await state.host('https://b.test'))!, nextFetchAt: 9e12 };
    const parked = {
      ...host!,
      nextFetchAt: 9e12,
      parkedReason: { code: 'host-budget-used', pages: 9 } as const,
    };
    const waiting = { ...isLong, parkedReason: { code: 'long-delay', delayMs: 9e6 } as const };
    const failed = {
      ...done('/2'),
      state: 'failed' as const,
      reason: { code: 'no-response', cause: 'timeout' } as const,
    };
    const removed = { ...done('/3'), state: 'refused' as const, reason: { code: 'removed' } as const };
    const results = [{ ...done('/1'), last: { ...LAST, dueAt: 50 } }, failed, removed];
    await state.commit({ ...emptyCommit(), results, hosts: [parked, waiting] });
    const origins = ['https://a.test', 'https://b.test', 'https://unknown.test'];
    assert.deepEqual(await state.wakeHosts(origins), { origins: ['https://a.test'], count: 2 });
    assert.deepEqual(await state.wakeHosts(origins), { origins: [], count: 0 });
    assert.equal((await state.readyUrls('https://a.test', 10)).length, 2);
    const again = (await state.host('https://a.test'))!;
    assert.deepEqual([again.parkedReason, again.nextFetchAt], [null, 0]);
    assert.equal((await state.host('https://b.test'))!.nextFetchAt, 9e12, 'a long delay stays');
    assert.equal((await state.wakeDue(99, 10)).count, 0, 'its revisits are no longer planned');
    assert.ok(await state.lastCapture(fingerprint(urlOf('/1'))), 'the next request is conditional');
    state.close();
  });

  test(`${name}: content that its owner lost has no owner`, async (t) => {
    const state = await (await place(t))(OWNER);
    const owner = { url: urlOf('/1'), fetchedAt: 5, payloadDigest: 'P' };
    await state.commit({ ...emptyCommit(), contents: new Map([['D', owner]]) });
    await state.commit({ ...emptyCommit(), contents: new Map([['D', { ...owner, url: urlOf('/2') }]]) });
    assert.equal((await state.contentOwner('D'))!.url, urlOf('/1'), 'the first owner stays');
    await state.commit({ ...emptyCommit(), released: new Map([['D', urlOf('/1')]]) });
    assert.equal(await state.contentOwner('D'), null);
    state.close();
  });

  test(`${name}: a restart reads everything, with the marks of the last commit`, async (t) => {
    const open = await place(t);
    const state = await open(OWNER);
    await state.commit(commitOf({ discovered: [found('http://a.test/', 0)] }));
    const robots = { kind: 'rules', body: Buffer.from('User-agent: *'), expiresAt: 99 } as const;
    const failure: HostFailure = { code: 'http-status', status: 503 };
    const row: Omit<HostRow, 'id'> = {
      origin: 'http://a.test',
      nextFetchAt: 77,
      delayMs: 5,
      robots,
      failures: 2,
      parkedReason: { code: 'failed', request: 'page', failure },
      waitReason: { code: 'retry-after', request: 'page', failure },
      address: '192.0.2.1',
      links: 0,
      fetched: 7,
      useful: 5,
    };
    const warc = { file: 3, length: 33 };
    const journal = { file: 4, length: 44, records: 2 };
    await state.commit(
      commitOf({
        results: [result('http://a.test/', 'ready')],
        hosts: [row],
        warc,
        journal,
        seenBytes: 8,
        sketches: 1,
      }),
    );
    state.close();
    const again = await open(OWNER);
    const [host] = await again.hostsWithWork();
    assert.deepEqual(
      { ...host, robots: { ...host!.robots, body: String.fromCharCode(...host!.robots!.body) } },
      {
        ...row,
        robots: { ...robots, body: 'User-agent: *' },
      },
    );
    assert.deepEqual(await again.marks(), { warc, journal, seenBytes: 8, sketches: 1 });
    assert.deepEqual(await again.fingerprints(null, 10), [fingerprint(urlOf('http://a.test/'))]);
    assert.equal((await again.readyUrls('http://a.test', 1))[0]!.attempts, 1);
    again.close();
  });

  test(`${name}: results are counted by state and problems by reason`, async (t) => {
    const state = await (await place(t))(OWNER);
    const paths = ['http://a.test/1', 'http://a.test/2', 'http://a.test/3', 'http://a.test/4'];
    await state.commit(commitOf({ discovered: paths.map((raw) => found(raw, 0)) }));
    const states: UrlState[] = ['done', 'refused', 'failed', 'ready'];
    await state.commit(commitOf({ results: paths.map((raw, index) => result(raw, states[index]!)) }));
    const counts = { hosts: 1, parked: 0, ready: 1, done: 1, refused: 1, failed: 1 };
    assert.deepEqual(await state.counts(), counts);
    assert.deepEqual(
      (await state.problems(5)).map(({ reason, count }) => [reason, count]),
      [[{ code: 'trap', kind: 'loop', pattern: '/*' }, 2]],
    );
    state.close();
  });

  test(`${name}: fetched URLs are counted by their outcome or by a later verdict`, async (t) => {
    const state = await (await place(t))(OWNER);
    const paths = ['http://a.test/1', 'http://a.test/2', 'http://a.test/3'];
    await state.commit(commitOf({ discovered: paths.map((raw) => found(raw, 0)) }));
    const of = urlOf('http://a.test/1');
    const verdict = { url: urlOf('http://a.test/2'), kind: 'near-duplicate' as const, of };
    const results = paths.map((raw, at) => ({
      ...result(raw, 'done'),
      reason: { code: at < 2 ? ('page' as const) : ('gone' as const) },
    }));
    const verdicts = new Map([[fingerprint(verdict.url), verdict]]);
    await state.commit(commitOf({ results, findings: findings({ verdicts }) }));
    assert.deepEqual(
      (await state.answers()).map(({ reason, count }) => [reason.code, count]),
      [
        ['gone', 1],
        ['near-duplicate', 1],
        ['page', 1],
      ],
    );
    state.close();
  });

  test(`${name}: a host gets no more URLs than its limit`, async (t) => {
    const state = await (await place(t))(OWNER);
    const discovered = Array.from({ length: 20 }, (_, page) => found(`http://a.test/${page}`, 0));
    assert.equal((await state.commit(commitOf({ discovered, maxUrlsPerHost: 7 }))).added.length, 7);
    state.close();
  });

  test(`${name}: a URL is ready again when it is due, and only once`, async (t) => {
    const state = await (await place(t))(OWNER);
    const [first, second] = ['http://a.test/1', 'http://b.test/2'];
    await state.commit(commitOf({ discovered: [found(first, 0), found(second, 0)] }));
    const last = { ...LAST, sketch: 7 };
    const results = [
      { ...result(first, 'done'), last },
      { ...result(second, 'failed'), last: { ...LAST, dueAt: 99 } },
    ];
    await state.commit(commitOf({ results }));
    assert.deepEqual(await state.lastCapture(fingerprint(urlOf(first))), last);
    assert.deepEqual(await state.wakeDue(14, 10), { origins: [], count: 0 });
    assert.deepEqual(await state.wakeDue(15, 10), { origins: ['http://a.test'], count: 1 });
    assert.deepEqual(await state.wakeDue(15, 10), { origins: [], count: 0 });
    assert.equal((await state.counts()).ready, 1);
    assert.equal((await state.lastCapture(fingerprint(urlOf(first))))?.etag, '"1"');
    assert.equal((await state.wakeDue(99, 10)).count, 1, 'what failed is due as well');
    state.close();
  });

  test(`${name}: a hint makes a page due only if it is trusted and the page was not visited since`, async (t) => {
    const state = await (await place(t))(OWNER);
    const paths = ['/1', '/2', '/3'];
    await state.commit(commitOf({ discovered: paths.map((path) => found(path)) }));
    const last = { ...LAST, dueAt: 900 };
    const results = paths.map((path) => ({ ...done(path), fetchedAt: 100, last }));
    await state.commit(commitOf({ results }));
    const hint = (path: string, modifiedAt: number, isTrusted: boolean) => {
      return { fingerprint: fingerprint(urlOf(path)), modifiedAt, isTrusted };
    };
    const hints = [hint('/1', 150, true), hint('/2', 150, false), hint('/3', 50, true), hint('/4', 1, true)];
    await state.commit(commitOf({ hints, committedAt: 200 }));
    const told = await Promise.all(paths.map((path) => state.lastCapture(fingerprint(urlOf(path)))));
    assert.deepEqual(
      told.map((capture) => [capture!.hintedAt, capture!.dueAt]),
      [
        [150, 200],
        [150, 900],
        [0, 900],
      ],
    );
    state.close();
  });

  test(`${name}: the target of a moved page gets its history, unless it has its own; the price is kept`, async (t) => {
    const open = await place(t);
    const state = await open(OWNER);
    assert.equal(await state.schedule(), null);
    await state.commit(commitOf({ discovered: [found('/old'), found('/known')] }));
    const known = { ...LAST, etag: 'own' };
    const moved = ['/new', '/known', '/never-found'].map((path) => {
      return {
        to: fingerprint(urlOf(path)),
        last: { ...LAST, summary: { code: 'moved' as const }, dueAt: 0 },
      };
    });
    await state.commit(commitOf({ results: [{ ...done('/known'), last: known }], schedule: 'first' }));
    await state.commit(commitOf({ discovered: [found('/new')], moved }));
    const lastOf = (path: string) => state.lastCapture(fingerprint(urlOf(path)));
    assert.deepEqual((await lastOf('/new'))?.history, LAST.history);
    assert.equal((await lastOf('/known'))?.etag, 'own');
    assert.equal(await lastOf('/never-found'), null);
    assert.equal((await state.readyUrls('https://a.test', 9)).length, 2, 'the target is still to be fetched');
    state.close();
    const again = await open(OWNER);
    assert.equal(await again.schedule(), 'first');
    again.close();
  });

  test(`${name}: content that its owner lost can get another owner`, async (t) => {
    const state = await (await place(t))(OWNER);
    const owner = (raw: string) => new Map([['D', { url: urlOf(raw), fetchedAt: 1, payloadDigest: 'P' }]]);
    await state.commit(commitOf({ contents: owner('http://a.test/1') }));
    await state.commit(commitOf({ released: new Map([['D', urlOf('http://a.test/2')]]) }));
    assert.equal((await state.contentOwner('D'))?.url, 'http://a.test/1', 'only its owner can give it up');
    const released = new Map([['D', urlOf('http://a.test/1')]]);
    await state.commit(commitOf({ released, contents: owner('http://a.test/3') }));
    assert.equal((await state.contentOwner('D'))?.url, 'http://a.test/3');
    state.close();
  });

  test(`${name}: counts follow every change of state, also to ready again`, async (t) => {
    const open = await place(t);
    const state = await open(OWNER);
    const paths = ['http://a.test/1', 'http://a.test/2', 'http://b.test/1'];
    await state.commit(commitOf({ discovered: paths.map((raw) => found(raw, 0)) }));
    await state.commit(commitOf({ results: paths.map((raw) => result(raw, 'done')) }));
    state.drained('http://a.test');
    await state.commit(emptyCommit());
    assert.deepEqual(
      (await state.frontHosts(0, '', 10)).map(({ origin }) => origin),
      ['http://b.test'],
    );
    await state.commit(commitOf({ results: [result('http://a.test/2', 'ready')] }));
    assert.equal((await state.frontHosts(0, '', 10)).length, 2);
    const { ready, done } = await state.counts();
    assert.deepEqual([ready, done], [1, 2]);
    state.close();
  });

  test(`${name}: a host with more linking hosts moves to a higher front queue; each host counts once per commit`, async (t) => {
    const state = await (await place(t))(OWNER);
    const from = (raw: string, origin: string) => ({ ...found(raw, 1), from: origin });
    const others = ['http://b.test', 'http://c.test', 'http://d.test'];
    await state.commit(
      commitOf({ discovered: others.map((origin, page) => from(`http://a.test/${page}`, origin)) }),
    );
    const sameHost = ['http://e.test/1', 'http://e.test/2', 'http://e.test/3'];
    await state.commit(commitOf({ discovered: sameHost.map((raw) => from(raw, 'http://b.test')) }));
    assert.deepEqual(
      (await state.frontHosts(1, '', 10)).map(({ origin, links }) => [origin, links]),
      [['http://a.test', 3]],
    );
    assert.equal((await state.host('http://e.test'))!.links, 1);
    state.close();
  });

  test(`${name}: a host with a pending icon has work, and a found icon has its URL`, async (t) => {
    const open = await place(t);
    const state = await open(OWNER);
    await state.commit(commitOf({ discovered: [found('http://a.test/', 0)] }));
    const row = (await state.host('http://a.test'))!;
    const next = 'http://a.test/favicon.ico';
    const icon = { found: '', etag: '', lastModified: '', next, asked: [], dueAt: 0 };
    const results = [result('http://a.test/', 'done')];
    await state.commit(commitOf({ results, hosts: [{ ...row, icon }] }));
    state.drained(row.origin);
    await state.commit(emptyCommit());
    const [waiting] = await state.frontHosts(0, '', 10);
    assert.deepEqual(waiting?.icon, icon);
    assert.equal((await state.counts()).ready, 0, 'it is none of the URLs');

    await state.commit(commitOf({ hosts: [{ ...row, icon: { ...icon, found: next, next: '' } }] }));
    state.drained(row.origin);
    await state.commit(emptyCommit());
    assert.deepEqual(await state.frontHosts(0, '', 10), []);
    const reader = await open(OWNER);
    assert.equal((await reader.host('http://a.test'))?.icon?.found, next);
    reader.close();
    state.close();
  });

  test(`${name}: hosts that are parked for one kind of failure are unparked, others are not`, async (t) => {
    const state = await (await place(t))(OWNER);
    await state.commit(commitOf({ discovered: [found('http://a.test/', 0), found('http://b.test/', 0)] }));
    const rows = (await state.hostsWithWork()).map((row) => ({ ...row, nextFetchAt: 1e12, failures: 3 }));
    const failures: HostFailure[] = [{ code: 'address-refused' }, { code: 'http-status', status: 503 }];
    const parked = failures.map((failure) => ({
      code: 'failed' as const,
      request: 'robots' as const,
      failure,
    }));
    await state.commit(commitOf({ hosts: rows.map((row, at) => ({ ...row, parkedReason: parked[at]! })) }));
    assert.deepEqual(
      await state.problems(5),
      parked.map((reason) => ({ parked: reason, count: 1 })),
    );
    await state.unparkFailed('address-refused');
    const [a, b] = [await state.host(rows[0]!.origin), await state.host(rows[1]!.origin)];
    assert.deepEqual([a!.parkedReason, a!.nextFetchAt, a!.failures], [null, 0, 0]);
    assert.deepEqual([b!.parkedReason, b!.nextFetchAt, b!.failures], [parked[1], 1e12, 3]);
  });

  test(`${name}: hosts beyond the budget of their domain are held back until the budget grows`, async (t) => {
    const state = await (await place(t))(OWNER);
    const raw = ['http://a.d.test/', 'http://b.d.test/', 'http://c.d.test/', 'http://other.test/'];
    const discovered = raw.map((each) => found(each));
    const domainLinks = new Map([['d.test', ['x.test', 'y.test', 'x.test']]]);
    await state.commit(commitOf({ discovered, hostBudget: () => 1, domainLinks }));
    const domain = (await state.domain('d.test'))!;
    const counts = { hosts: 3, admitted: 1, provenHosts: 0, fetched: 0, useful: 0, linkingDomains: 2 };
    assert.deepEqual({ ...domain }, { ...domain, name: 'd.test', ...counts });
    assert.equal(await state.domain('x.test'), null);
    assert.equal((await state.frontHosts(0, '', 10)).length, 2);
    const [heldBack] = await state.domainsHeldBack(5);
    assert.equal(heldBack?.domain.name, 'd.test');
    assert.equal((await state.host(heldBack!.example))?.isHeldBack, true);
    assert.equal(await state.admitHosts(() => 1), 0);
    assert.equal(await state.admitHosts(() => 2), 1);
    assert.equal(await state.admitHosts(() => Number.POSITIVE_INFINITY), 1);
    assert.equal(await state.admitHosts(() => Number.POSITIVE_INFINITY), 0);
    assert.equal((await state.domain('d.test'))?.admitted, 3);
    assert.deepEqual(await state.domainsHeldBack(5), []);
    assert.equal((await state.frontHosts(0, '', 10)).length, 4);
    state.close();
  });

  test(`${name}: the pages of hosts count for their domain`, async (t) => {
    const state = await (await place(t))(OWNER);
    await state.commit(commitOf({ discovered: [found('http://a.d.test/'), found('http://b.d.test/')] }));
    const rows = await state.hostsWithWork();
    await state.commit(commitOf({ hosts: rows.map((row, at) => ({ ...row, fetched: 6, useful: 3 + at })) }));
    await state.commit(commitOf({ hosts: [{ ...rows[0]!, fetched: 9, useful: 3 }] }));
    const { fetched, useful, provenHosts } = (await state.domain('d.test'))!;
    assert.deepEqual([fetched, useful, provenHosts], [15, 7, 1]);
    state.close();
  });

  test(`${name}: parked hosts are found by the end of their parking, which moves with the clock`, async (t) => {
    const state = await (await place(t))(OWNER);
    await state.commit(commitOf({ discovered: [found('http://a.test/'), found('http://b.test/')] }));
    const rows = await state.hostsWithWork();
    const parkedReason = { code: 'long-delay' as const, delayMs: 1 };
    const robots = { kind: 'allow-all' as const, body: new Uint8Array(), expiresAt: 500 };
    const hosts = rows.map((row, at) => ({ ...row, robots, parkedReason, nextFetchAt: 100 + at * 100 }));
    await state.commit(commitOf({ hosts }));
    assert.equal((await state.counts()).parked, 2);
    assert.deepEqual(await state.frontHosts(0, '', 10), []);
    const origins = async (after: number, until: number) =>
      (await state.parkedHosts(after, until, 10)).map(({ origin }) => origin);
    assert.deepEqual(await origins(0, 200), [rows[0]!.origin, rows[1]!.origin]);
    assert.deepEqual(await origins(100, 1000), [rows[1]!.origin]);
    await state.moveTimes(-50, 7);
    assert.deepEqual([await state.nextParkedUntil(0), await state.nextParkedUntil(50)], [50, 150]);
    assert.equal(await state.nextParkedUntil(150), null);
    assert.equal((await state.host(rows[0]!.origin))?.robots?.expiresAt, 450);
    assert.equal(await state.committedAt(), 7);
    await state.pause(rows[0]!.origin, 300);
    assert.deepEqual(await origins(0, 1000), [rows[1]!.origin, rows[0]!.origin]);
    state.close();
  });

  test(`${name}: sketch entries are replaced together`, async (t) => {
    const state = await (await place(t))(OWNER);
    await state.commit(commitOf({ discovered: [found('/1'), found('/2')] }));
    const [first, second] = ['/1', '/2'].map((path) => fingerprint(urlOf(path)));
    const results = ['/1', '/2'].map((path) => ({ ...done(path), last: { ...LAST, sketch: 1 } }));
    const sketches = new Map([[first!, 1]]);
    await state.commit(commitOf({ results, sketches: 1, findings: findings({ sketches }) }));
    const entries = new Map([
      [first!, { entry: 7, isOwn: true }],
      [second!, { entry: 7, isOwn: false }],
    ]);
    await state.replaceSketches(entries, 8);
    assert.deepEqual(
      await state.sketchesOf([first!, second!]),
      new Map([...entries].map(([key]) => [key, 7])),
    );
    assert.equal((await state.lastCapture(first!))?.sketch, 7);
    assert.equal((await state.lastCapture(second!))?.sketch, null);
    assert.equal((await state.marks())?.sketches, 8);
    state.close();
  });

  test(`${name}: refused URLs can be reopened, and imported ones wake when they are discovered`, async (t) => {
    const state = await (await place(t))(OWNER);
    await state.commit(commitOf({ discovered: [found('/1', 2), found('/2', 2), found('/3', 2)] }));
    const results = [result('/1', 'refused'), done('/2'), { ...done('/3'), last: LAST }];
    await state.commit(commitOf({ results }));
    const reopened = new Set(results.map((each) => each.fingerprint));
    const discovered = [found('/2', 1), found('/3', 1)];
    const { added } = await state.commit(commitOf({ discovered, findings: findings({ reopened }) }));
    assert.deepEqual(
      added.map(({ url, depth }) => [url, depth]),
      [
        [urlOf('/2'), 1],
        [urlOf('/1'), 2],
      ],
    );
    assert.equal((await state.counts()).ready, 2);
    state.close();
  });

  test(`${name}: verdicts and claims are read in pages and can be withdrawn`, async (t) => {
    const state = await (await place(t))(OWNER);
    const paths = ['/1', '/2', '/3'].map(urlOf).sort((a, b) => (fingerprint(a) < fingerprint(b) ? -1 : 1));
    const of = urlOf('/');
    const verdicts = new Map(paths.map((url) => [fingerprint(url), { url, kind: 'mirror' as const, of }]));
    const claims = new Map(paths.map((url) => [fingerprint(url), { url, target: of }]));
    await state.commit(commitOf({ findings: findings({ verdicts, claims }) }));
    const urls = (rows: { url: CanonicalUrl }[]) => rows.map(({ url }) => url);
    assert.deepEqual(urls(await state.verdicts(fingerprint(paths[0]!), 5)), paths.slice(1));
    assert.deepEqual(urls(await state.claims(null, 2)), paths.slice(0, 2));
    assert.deepEqual(urls(await state.namesOf(of)), paths.toSorted());
    const withdrawn = new Map(paths.slice(1).map((url) => [fingerprint(url), null]));
    await state.commit(commitOf({ findings: findings({ verdicts: withdrawn, claims: withdrawn }) }));
    assert.deepEqual(
      (await state.verdictCounts()).map((each) => ({ ...each })),
      [{ kind: 'mirror', count: 1 }],
    );
    assert.deepEqual(urls(await state.claims(null, 9)), paths.slice(0, 1));
    assert.equal(await state.verdictOf(paths[1]!), null);
    state.close();
  });
}

const LAST: LastCapture = {
  summary: { code: 'page', changeKey: 1 },
  etag: '"1"',
  lastModified: 'Sun, 06 Nov 1994 08:49:37 GMT',
  robotsTag: '',
  digest: 'D',
  payloadDigest: 'P',
  archivedAt: 5,
  isDocument: true,
  sketch: null,
  goneCount: 0,
  history: {
    ...{ kind: 'page', visitedAt: 5, revisits: 2, counted: null, class: '1,2' },
    changes: { shape: 0.5, days: 3.25 },
    links: { shape: 0, days: 1 },
  },
  hintedAt: 0,
  intervalMs: 10,
  dueAt: 15,
};

/** Returns a canonical URL; a path is completed with the host a.test. */
function urlOf(raw: string): CanonicalUrl {
  return canonicalize(raw.startsWith('/') ? `https://a.test${raw}` : raw)!;
}

function found(raw: string, depth = 0): Discovered {
  return { url: urlOf(raw), fingerprint: fingerprint(urlOf(raw)), depth };
}

function done(raw: string): UrlResult {
  return { ...result(raw, 'done'), attempts: 0, reason: { code: 'page' }, fetchedAt: 1 };
}

function result(raw: string, state: UrlState): UrlResult {
  return {
    fingerprint: fingerprint(urlOf(raw)),
    state,
    attempts: 1,
    status: 200,
    reason: { code: 'trap', kind: 'loop', pattern: '/*' },
    fetchedAt: 5,
  };
}

function commitOf(changes: Partial<CrawlBatch>): CrawlBatch {
  return { ...emptyCommit(), ...changes };
}

function findings(changes: Partial<FindingsBatch>): FindingsBatch {
  const none = { notes: new Map(), verdicts: new Map(), sketches: new Map(), claims: new Map() };
  return { ...none, reopened: new Set(), ...changes };
}
