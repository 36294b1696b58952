/** Tests transactions whose connection is lost: by the server, by a time limit, and by the network. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import postgres from 'postgres';
import { sleep } from '../base/mod.ts';
import type { ClusterDatabase } from './database.ts';
import { createDatabase } from './test-database.fixture.ts';
import { inTransaction } from './transaction.ts';

/** Opens a pool with one connection, so that the next transaction uses the same connection object. */
async function openSingle(t: TestContext, url: string): Promise<ClusterDatabase> {
  const sql = postgres(url, { max: 1, onnotice: () => {}, backoff: () => 0 });
  t.after(() => sql.end({ timeout: 0 }));
  return sql;
}

async function openTwo(t: TestContext) {
  const url = await createDatabase(t);
  const [sql, other] = [await openSingle(t, url), await openSingle(t, url)];
  await other`create table writes (node text)`;
  const written = async () => (await other`select node from writes order by node`).map(({ node }) => node);
  return { url, sql, other, written };
}

/** Runs two transactions after a lost one, because the first may still get the error of the lost connection. */
async function writeAgain(sql: ClusterDatabase): Promise<void> {
  const write = () => inTransaction(sql, (tx) => tx`insert into writes values ('next')`);
  await write().catch(write);
}

test('a statement whose connection is ended by the server rejects, and its transaction leaves nothing', async (t) => {
  const { sql, other, written } = await openTwo(t);
  const started = Promise.withResolvers<number>();
  const lost = assert.rejects(
    inTransaction(sql, async (tx) => {
      await tx`insert into writes values ('lost')`;
      const [row] = await tx`select pg_backend_pid() as pid`;
      started.resolve(row!.pid);
      await tx`select pg_sleep(20)`;
    }),
    ({ code }) => ['57P01', 'CONNECTION_CLOSED'].includes(code),
  );
  await other`select pg_terminate_backend(${await started.promise})`;
  await lost;
  await writeAgain(sql);
  assert.deepEqual(await written(), ['next']);
});

test('a transaction that was idle for too long does not continue in a later one', async (t) => {
  const { sql, written } = await openTwo(t);
  const isOver = Promise.withResolvers<void>();
  const lost = assert.rejects(
    inTransaction(sql, async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 100`;
      await tx`insert into writes values ('lost')`;
      await isOver.promise;
      await tx`insert into writes values ('late')`;
    }),
    { code: 'CONNECTION_CLOSED' },
  );
  await lost;
  const failing = inTransaction(sql, async (tx) => {
    await tx`insert into writes values ('rolled back')`;
    isOver.resolve();
    await sleep(50);
    await tx`insert into writes values ('rolled back, too')`;
    throw new Error('no');
  });
  await assert.rejects(failing);
  await writeAgain(sql);
  await sleep(50);
  assert.deepEqual(await written(), ['next']);
});

test('a transaction whose connection is reset leaves nothing, and the pool reconnects', async (t) => {
  const { url, written } = await openTwo(t);
  const target = new URL(url);
  const sockets: Socket[] = [];
  const proxy = createServer((socket) => {
    const server = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, server],
      [server, socket],
    ] as const) {
      from.on('error', () => {});
      from.pipe(to);
    }
    sockets.push(socket);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  const through = new URL(url);
  through.port = String((proxy.address() as { port: number }).port);
  const sql = await openSingle(t, through.href);
  for (let round = 0; round < 5; round++) {
    const lost = inTransaction(sql, async (tx) => {
      await tx`insert into writes values ('lost')`;
      if (round % 2 === 0) sockets.at(-1)!.resetAndDestroy();
      else setTimeout(() => sockets.at(-1)!.resetAndDestroy(), 20);
      await tx`select pg_sleep(20)`;
    });
    await assert.rejects(lost, ({ code }) => ['ECONNRESET', 'CONNECTION_CLOSED', 'EPIPE'].includes(code));
    await writeAgain(sql);
  }
  assert.deepEqual(await written(), Array(5).fill('next'));
});

test('a failed transaction is rolled back, and its connection is used again', async (t) => {
  const { sql, written } = await openTwo(t);
  const failing = inTransaction(sql, async (tx) => {
    await tx`insert into writes values ('failed')`;
    await tx`select 1 / 0`;
  });
  await assert.rejects(failing, /division by zero/);
  assert.deepEqual(await inTransaction(sql, async (tx) => [...(await tx`select 1 as one`)]), [{ one: 1 }]);
  assert.deepEqual(await written(), []);
});
