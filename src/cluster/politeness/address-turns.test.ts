/** Tests that nodes take turns with IP addresses, on a real server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog, sleep } from '../../base/mod.ts';
import { HostGroups } from '../../crawl/frontier/mod.ts';
import { measureClockOffset } from '../clock-offset.ts';
import type { ClusterDatabase } from '../database.ts';
import { openDatabases } from '../test-database.fixture.ts';
import { PostgresAddressTurns, removeOldTurns } from './address-turns.ts';

const SHARED = '192.0.2.1';
const DELAY_MS = 60;

interface Sent {
  node: string;
  atMs: number;
}

/** Sends requests of a node to hosts of one address until `untilMs`, as the frontier does: when the gates are open. */
async function crawl(sql: ClusterDatabase, node: string, sent: Sent[], untilMs: number): Promise<number> {
  const offsetMs = await measureClockOffset(sql, { now: Date.now });
  const clock = { now: () => Date.now() + offsetMs };
  let statements = 0;
  const counting = new Proxy(sql, {
    apply(target, self, values) {
      statements++;
      return Reflect.apply(target, self, values);
    },
  });
  const turns = new PostgresAddressTurns({
    sql: counting,
    node,
    delayMs: DELAY_MS,
    clock,
    log: silentLog,
    turnMs: 1_500,
  });
  const groups = new HostGroups({ addressDelayMs: DELAY_MS, groups: [], clock, turns });
  while (performance.now() < untilMs) {
    const host = { origin: `https://${node}.test`, address: SHARED };
    if (groups.opensAt(host) <= clock.now()) {
      sent.push({ node, atMs: performance.now() });
      groups.requestStarted(host);
      groups.requestEnded(host, 0);
    }
    await sleep(5);
  }
  turns.close();
  return statements;
}

test('two nodes share an address: both send requests, in turns, never closer than the delay', async (t) => {
  const [one, two] = await openDatabases(t, 2);
  const sent: Sent[] = [];
  const untilMs = performance.now() + 5_000;
  const statements = await Promise.all([crawl(one!, 'a', sent, untilMs), crawl(two!, 'b', sent, untilMs)]);
  const of = (node: string) => sent.filter((each) => each.node === node).length;
  assert.ok(of('a') > 5 && of('b') > 5, `${of('a')} and ${of('b')} requests`);
  const gaps = sent.slice(1).map(({ atMs }, index) => atMs - sent[index]!.atMs);
  assert.ok(Math.min(...gaps) > DELAY_MS - 10, `the smallest pause was ${Math.min(...gaps)} ms`);
  const total = statements[0]! + statements[1]!;
  t.diagnostic(`${total} statements for ${sent.length} requests, the smallest pause ${Math.min(...gaps)} ms`);
  assert.ok(total < sent.length, 'fewer statements than requests');
});

test('many addresses are asked for with one statement, and a dead node loses its turn', async (t) => {
  const [sql] = await openDatabases(t, 1);
  let statements = 0;
  const counting = new Proxy(sql!, {
    apply(target, self, values) {
      statements++;
      return Reflect.apply(target, self, values);
    },
  });
  const offsetMs = await measureClockOffset(sql!, { now: Date.now });
  const clock = { now: () => Date.now() + offsetMs };
  const options = { delayMs: DELAY_MS, clock, log: silentLog };
  const first = new PostgresAddressTurns({ sql: counting, node: 'a', ...options });
  const networks = Array.from({ length: 200 }, (_, at) => `198.51.100.${at}`);
  const isOpen = (turns: PostgresAddressTurns) =>
    networks.filter((each) => turns.opensAt(each) > clock.now()).length === 0;
  while (!isOpen(first)) await sleep(5);
  assert.ok(statements <= 3, `${statements} statements for 200 addresses`);
  first.close();
  // The node dies: its turns end in the past.
  await sql!`update gyre.address_turns set until_at = until_at - 60000`;
  const second = new PostgresAddressTurns({ sql: sql!, node: 'b', ...options });
  while (!isOpen(second)) await sleep(5);
  second.close();
  await sql!`update gyre.address_turns set until_at = until_at - 7200000 where network <> ${networks[0]!}`;
  await removeOldTurns(sql!, 3_600_000);
  assert.equal((await sql!`select network from gyre.address_turns`).length, 1);
});
