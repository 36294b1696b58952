/**
 * Empty databases for tests, on the server that TEST_POSTGRES_URL names. `npm test` starts it; if a test file is
 * run alone, this file starts a server that ends with the process.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, type TestContext } from 'node:test';
import postgres from 'postgres';
import { type ClusterDatabase, openDatabase } from './database.ts';

const SERVICES = join(import.meta.dirname, '../../scripts/services');

let stopServer = () => {};
after(() => stopServer());
const server = process.env.TEST_POSTGRES_URL ?? (await startServer());

/** Starts PostgreSQL. The script stops the server when its standard input is closed. */
async function startServer(): Promise<string> {
  const command = ['run', 'postgresql', '--', 'bash', '-c', 'echo "$TEST_POSTGRES_URL"; cat'];
  const script = spawn(SERVICES, command, { stdio: ['pipe', 'pipe', 'inherit'] });
  stopServer = () => script.stdin.end();
  const lines = createInterface(script.stdout);
  const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  if (!line) throw new Error('scripts/services did not start PostgreSQL');
  return line;
}

/** Creates an empty database and returns its URL. It is dropped after the test. */
export async function createDatabase(t: TestContext): Promise<string> {
  const name = `gyre_test_${randomBytes(6).toString('hex')}`;
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  t.after(async () => {
    await sql.unsafe(`drop database if exists ${name} with (force)`);
    await sql.end();
  });
  await sql.unsafe(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Opens `count` pools of connections to one empty database. */
export async function openDatabases(t: TestContext, count: number): Promise<ClusterDatabase[]> {
  const url = await createDatabase(t);
  const pools: ClusterDatabase[] = [];
  t.after(() => Promise.all(pools.map((sql) => sql.end({ timeout: 0 }))));
  for (let number = 0; number < count; number++) pools.push(await openDatabase(url));
  return pools;
}
