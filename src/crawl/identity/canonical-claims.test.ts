import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDirectory, Random } from '../../base/mod.ts';
import { sketchOf } from '../../sketch/sketch.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { NearDuplicates } from '../duplicates/near-duplicates.ts';
import { PendingState } from '../state/pending-state.ts';
import { openCrawlState } from '../state/sqlite/sqlite-state.ts';
import { emptyCommit } from '../state/state.fixture.ts';
import { CanonicalClaims } from './canonical-claims.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-claims-'));
after(() => rmSync(root, { recursive: true }));

const url = (path: string) => `http://a.test${path}` as CanonicalUrl;
const key = (path: string) => fingerprint(url(path));

/**
 * Test crawl in which pages are fetched one by one. Each page has a text of its own or the text of another
 * page.
 */
class Pages {
  readonly state;
  readonly findings;
  readonly near;
  claims: CanonicalClaims;

  constructor(name: string) {
    const directory = openDirectory(join(root, name));
    this.state = openCrawlState(directory);
    this.findings = new PendingState(this.state);
    this.near = new NearDuplicates(directory.directory('dedup'), 0);
    this.claims = this.restart();
  }

  restart(): CanonicalClaims {
    this.claims = new CanonicalClaims({
      findings: new PendingState(this.state),
      near: this.near,
      clock: { now: () => 5 },
    });
    return this.claims;
  }

  async discover(...paths: string[]): Promise<void> {
    const discovered = paths.map((path) => ({ url: url(path), fingerprint: key(path), depth: 1 }));
    await this.state.commit({ ...emptyCommit(), discovered });
  }

  /** Fetches and commits a page, then settles the canonical claims. */
  async fetched(
    path: string,
    textSeed: number,
    canonical?: string,
    code: 'page' | 'gone' = 'page',
    template = '',
  ) {
    const random = new Random(textSeed);
    const text = `${template} ${Array.from({ length: 150 }, () => `w${random.below(5000)}`).join(' ')}`;
    this.findings.keepSketch(key(path), this.near.add(key(path), sketchOf(text))!);
    if (canonical) this.claims.open(url(path), url(canonical));
    const result = { attempts: 0, status: 200, reason: { code }, fetchedAt: 1, state: 'done' as const };
    await this.commit([{ ...result, fingerprint: key(path) }]);
    return (await this.claims.settle([key(path)])).map(({ url, of }) => [url, of]);
  }

  async commit(results: Parameters<typeof this.state.commit>[0]['results'] = []) {
    await this.state.commit({ ...emptyCommit(), results, ...this.findings.take() });
  }
}

test('a canonical claim is settled when both pages are known, in either order', async () => {
  const pages = new Pages('order');
  await pages.discover('/v1', '/v2', '/main');
  assert.deepEqual(await pages.fetched('/v1', 1, '/main'), []);
  assert.deepEqual(await pages.fetched('/main', 1), [[url('/v1'), url('/main')]]);
  assert.deepEqual(await pages.fetched('/v2', 1, '/main'), [[url('/v2'), url('/main')]]);
  pages.state.close();
});

test('a claim to a missing, different or unfetched page is not accepted', async () => {
  const pages = new Pages('void');
  await pages.discover('/a', '/b', '/c', '/gone', '/other');
  await pages.fetched('/a', 1, '/gone');
  assert.deepEqual(await pages.fetched('/gone', 1, undefined, 'gone'), []);
  await pages.fetched('/b', 2, '/other');
  assert.deepEqual(await pages.fetched('/other', 3), []);
  assert.deepEqual(await pages.fetched('/c', 4, '/never-taken-up'), []);
  pages.state.close();
});

test('pages that share a template and all name the front page stay documents', async () => {
  const pages = new Pages('template');
  const template = Array.from({ length: 400 }, (_, at) => `menu${at}`).join(' ');
  await pages.discover('/', '/a', '/b', '/c?print', '/c');
  for (const [seed, path] of ['/', '/c'].entries())
    await pages.fetched(path, seed, undefined, 'page', template);
  for (const [seed, path] of ['/a', '/b'].entries())
    assert.deepEqual(await pages.fetched(path, 10 + seed, '/', 'page', template), []);
  assert.deepEqual(await pages.fetched('/c?print', 12, '/c', 'page', template), [
    [url('/c?print'), url('/c')],
  ]);
  pages.state.close();
});

test('one of two pages that name each other as canonical stays a document', async () => {
  const pages = new Pages('circle');
  await pages.discover('/a', '/b');
  await pages.fetched('/a', 1, '/b');
  assert.deepEqual(await pages.fetched('/b', 1, '/a'), [[url('/b'), url('/a')]]);
  pages.state.close();
});

test('a pending claim survives a restart', async () => {
  const pages = new Pages('restart');
  await pages.discover('/v', '/main');
  pages.claims = new CanonicalClaims({ findings: pages.findings, near: pages.near, clock: { now: () => 5 } });
  await pages.fetched('/v', 1, '/main');
  const later = pages.restart();
  assert.deepEqual(await later.resume(), []);
  assert.deepEqual(await pages.fetched('/main', 1), [[url('/v'), url('/main')]]);
  pages.state.close();
});

test('the named canonical page replaces a copy that was fetched first', () => {
  const pages = new Pages('takeover');
  pages.claims.open(url('/v'), url('/main'));
  assert.equal(pages.claims.proven(url('/v'), url('/other')), null);
  const { url: name, of, reason } = pages.claims.proven(url('/v'), url('/main'))!;
  assert.deepEqual([name, of, reason], [url('/v'), url('/main'), 'canonical']);
  assert.equal(pages.claims.proven(url('/v'), url('/main')), null, 'only once');
  pages.state.close();
});
