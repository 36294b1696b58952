/** Conformance suite for implementations of `LinkExchange`. A test of an implementation runs it with a factory. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sleep } from '../base/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';
import type { LinkExchange } from './link-exchange.ts';
import { linksTo, urlsOf } from './parsing/mod.ts';

/**
 * Registers the tests. `open` returns one exchange per node of a crawl, and a function that maps a URL to the index
 * of the node that owns it.
 */
export function linkExchangeConformance(
  name: string,
  open: (t: TestContext) => Promise<{ nodes: LinkExchange[]; ownerOf(url: CanonicalUrl): number }>,
): void {
  test(`${name}: every link reaches the owner of its host, with its depth and source`, async (t) => {
    const { nodes, ownerOf } = await open(t);
    const received = nodes.map(() => new Set<string>());
    for (const [at, node] of nodes.entries()) {
      node.onReceived(async ({ urls, fingerprints, depth }, source) => {
        const list = urlsOf(urls);
        assert.equal(fingerprints.length, list.length);
        for (const url of list) received[at]!.add(`${url} ${depth} ${source}`);
      });
    }
    const expected = nodes.map(() => new Set<string>());
    for (const [at, node] of nodes.entries()) {
      for (let page = 0; page < 20; page++) {
        const source = page === 0 ? null : urlOf(`https://source-${at}.test/${page}`);
        const urls = Array.from({ length: page }, (_, n) =>
          urlOf(`https://host-${(n * page) % 7}.test/${at}/${n}`),
        );
        await node.send(linksTo(urls, page), source);
        for (const url of urls) expected[ownerOf(url)]!.add(`${url} ${page} ${source}`);
      }
      await node.flush();
    }
    // A link may still be in a queue after `flush`.
    const deadlineMs = performance.now() + 20_000;
    const isMissing = () => received.some((urls, at) => urls.size < expected[at]!.size);
    while (isMissing() && performance.now() < deadlineMs) await sleep(10);
    assert.deepEqual(received, expected);
  });

  test(`${name}: a page without links sends none`, async (t) => {
    const { nodes } = await open(t);
    for (const node of nodes)
      node.onReceived(async ({ fingerprints }) => assert.equal(fingerprints.length, 0));
    await nodes[0]!.send(linksTo([], 1), null);
    await nodes[0]!.flush();
  });
}

function urlOf(url: string): CanonicalUrl {
  return canonicalize(url)!;
}
