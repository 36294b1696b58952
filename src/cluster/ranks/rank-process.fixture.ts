/**
 * A rank node as a process: node rank-process.fixture.ts OPTIONS, where OPTIONS is JSON. The main thread renews the lease
 * of the node; a second thread computes. Prints the processor time of the computation as JSON when the job is finished.
 */
import { threadId, Worker, workerData } from 'node:worker_threads';
import { blobsIn } from '../../base/files/blob-store.ts';
import { openDirectory, silentLog } from '../../base/mod.ts';
import { openDatabase } from '../database.ts';
import { Membership } from '../membership.ts';
import { rankAsNode } from './rank-node.ts';

export interface RankProcessOptions {
  database: string;
  node: string;
  journal: string;
  blobs: string;
  scratch: string;
  leaseMs: number;
  tileBytes?: number;
  maxIterations?: number;
}

/** The node renews its lease this many times per duration of the lease. */
const RENEWALS = 5;

if (threadId === 0) await runNode(JSON.parse(process.argv[2]!) as RankProcessOptions);
else await runWorker(workerData as RankProcessOptions);

async function runNode(options: RankProcessOptions): Promise<void> {
  const { node, leaseMs } = options;
  const sql = await openDatabase(options.database);
  const membership = new Membership(sql, { node, roles: ['rank'], weight: 1 }, { leaseMs });
  await membership.renew();
  const renewing = setInterval(() => void membership.renew(), leaseMs / RENEWALS);
  const worker = new Worker(import.meta.filename, { workerData: options });
  worker.on('exit', async (code) => {
    clearInterval(renewing);
    process.exitCode = code;
    await sql.end();
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    const cost = { cpuMs: (userCPUTime + systemCPUTime) / 1000, maxRssKb: maxRSS };
    process.stdout.write(`${JSON.stringify(cost)}\n`);
  });
}

async function runWorker({ database, node, ...options }: RankProcessOptions): Promise<void> {
  const sql = await openDatabase(database);
  const journal = openDirectory(options.journal);
  await rankAsNode(sql, node, {
    blobs: blobsIn(openDirectory(options.blobs)),
    scratch: openDirectory(options.scratch),
    journalOf: async () => journal,
    log: silentLog,
    waiting: { log: silentLog, signal: new AbortController().signal },
    ...(options.tileBytes !== undefined && { tileBytes: options.tileBytes }),
    ...(options.maxIterations !== undefined && { maxIterations: options.maxIterations }),
  });
  await sql.end();
}
