import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver as NameServers } from 'node:dns/promises';
import { test } from 'node:test';
import { DnsLookup } from './dns-lookup.ts';

const NO_ERROR = 0x8180;
const NO_NAME = 0x8183;
const TYPE_A = 1;

test('the names of a hosts file keep their addresses, without comments and bad lines', async () => {
  const hosts = '127.0.0.1 localhost\n::1 localhost Six # not.this\n# 10.0.0.1 no\nbad line\n';
  const lookup = new DnsLookup(undefined, hosts);
  assert.deepEqual(await lookup.addressesOf('localhost'), [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  assert.deepEqual(await lookup.addressesOf('six'), [{ address: '::1', family: 6 }]);
});

test('sixty names are looked up at once, and a missing name has the code ENOTFOUND', async (context) => {
  const waiting: (() => void)[] = [];
  const server = createSocket('udp4', (query, { port, address }) => {
    waiting.push(() => server.send(answerTo(query), port, address));
    // The name server responds only after it has received all queries, one for IPv4 and one for IPv6 per name. So the
    // test passes only if the queries are in flight at the same time.
    if (waiting.length >= 2 * names.length) for (const answer of waiting.splice(0)) answer();
  });
  const names = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? `a${i}.example` : `missing${i}.example`));
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const nameServers = new NameServers({ timeout: 5_000, tries: 4 });
  nameServers.setServers([`127.0.0.1:${server.address().port}`]);
  const lookup = new DnsLookup(nameServers, '');
  const answers = await Promise.allSettled(names.map((name) => lookup.addressesOf(name)));
  for (const [i, answer] of answers.entries()) {
    if (i % 2 === 0)
      assert.deepEqual(answer, { status: 'fulfilled', value: [{ address: '192.0.2.7', family: 4 }] });
    else assert.equal((answer as PromiseRejectedResult).reason.code, 'ENOTFOUND');
  }
});

/**
 * Builds the response of the fake name server: 192.0.2.7 for queries of type A, no record for other types, and "no
 * such name" for names that begin with `missing`.
 */
function answerTo(query: Buffer): Buffer {
  const nameEnd = query.indexOf(0, 12);
  const hasAddress = query.readUInt16BE(nameEnd + 1) === TYPE_A;
  const isMissing = query.toString('latin1', 13, 20) === 'missing';
  const question = query.subarray(12, nameEnd + 5);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(isMissing ? NO_NAME : NO_ERROR, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(hasAddress && !isMissing ? 1 : 0, 6);
  const record = Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7]);
  return Buffer.concat([head, question, ...(hasAddress && !isMissing ? [record] : [])]);
}
