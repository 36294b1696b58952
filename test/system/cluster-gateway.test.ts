/**
 * Crawls the synthetic web with two nodes, one of which is a gateway, and requests data from the gateway that
 * is not in the index, such as archived copies.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../bench/free-port.ts';
import { isDone, openCluster, openWeb, until } from '../helpers/cluster-crawl.ts';

const PAGES = 48;

test('a gateway shows cached copies of pages that another node has fetched', async (context) => {
  const web = await openWeb(context, PAGES);
  const cluster = await openCluster(context, web, { shards: 1 });
  const crawler = await cluster.start('crawl,index,search', ['--listen', `127.0.0.1:${await freePort()}`]);
  await crawler.told(/search node listens/);
  const gateway = await cluster.start('gateway', ['--port', String(await freePort())]);
  const [, address] = await gateway.told(/gateway listens.*?(http:\/\/[\d.]+:\d+)/);
  await until('every page is indexed', () => isDone(cluster, web));
  for (const { url, uniqueWord } of [...web.plan.plainPages(web.port)].slice(0, 5)) {
    const copy = await fetch(`${address}/cached/copy?url=${encodeURIComponent(url)}`);
    assert.equal(copy.status, 200, url);
    assert.match(await copy.text(), new RegExp(uniqueWord));
  }
  const missing = await fetch(`${address}/cached?url=${encodeURIComponent('http://unknown.test/')}`);
  assert.equal(missing.status, 404);
  for (const node of [crawler, gateway]) {
    const { code, stderr } = await node.kill('SIGTERM');
    assert.equal(code, 0, stderr);
  }
});
