/**
 * scripts/services run postgresql -- node bench/cluster/main.ts — measures commits of the crawl state in PostgreSQL,
 * compared with SQLite in the same run.
 *
 *   --commits N   commits of each kind (50)
 *   --hosts N     hosts (2,000)
 *   --links N     new URLs in a commit of links (10,000)
 *   --json        one JSON object as the last line
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import postgres from 'postgres';
import { openDirectory } from '../../src/base/mod.ts';
import { openDatabase, PostgresCrawlState, VnodeOwner } from '../../src/cluster/mod.ts';
import { openCrawlState } from '../../src/crawl/mod.ts';
import { type BenchRow, report } from '../report.ts';
import { measureState } from './measure.ts';

const { values } = parseArgs({
  options: {
    commits: { type: 'string', default: '50' },
    hosts: { type: 'string', default: '2000' },
    links: { type: 'string', default: '10000' },
    json: { type: 'boolean', default: false },
  },
});
const sizes = { commits: Number(values.commits), hosts: Number(values.hosts), links: Number(values.links) };

async function measureSqlite(): Promise<BenchRow> {
  const path = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
  const state = openCrawlState(openDirectory(path));
  try {
    return await measureState('SQLite', state, sizes);
  } finally {
    state.close();
    rmSync(path, { recursive: true });
  }
}

/** Measures a node that owns all vnodes, in a new database. */
async function measurePostgres(server: string): Promise<BenchRow> {
  const name = `gyre_bench_${randomBytes(6).toString('hex')}`;
  const admin = postgres(server, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const sql = await openDatabase(url.href);
  try {
    await sql`update gyre.vnodes set owner = 'bench', epoch = 1`;
    const state = new PostgresCrawlState(sql, new VnodeOwner(sql, 'bench', 0));
    await state.hold(Array.from({ length: 256 }, (_, vnode) => ({ vnode, epoch: 1 })));
    return await measureState('PostgreSQL', state, sizes);
  } finally {
    await sql.end();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  }
}

const server = process.env.TEST_POSTGRES_URL;
if (!server)
  throw new Error('TEST_POSTGRES_URL is not set: run this with scripts/services run postgresql -- …');
const rows = [await measureSqlite(), await measurePostgres(server)];
const ratioOf = (column: string) => (rows[1]![column] as number) / (rows[0]![column] as number);
const ratios = {
  'PostgreSQL/SQLite, new URLs/s': ratioOf('new URLs/s'),
  'PostgreSQL/SQLite, pages/s': ratioOf('pages/s'),
};
report(rows, ratios, values.json);
