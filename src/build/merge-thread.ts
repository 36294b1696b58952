/** The entry point of the thread for one merge; see merge-runner.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { directoryAt, messageOf, systemCode } from '../base/mod.ts';
import { runMerge } from '../index/mod.ts';
import type { MergeAnswer, MergeThreadInput } from './merge-runner.ts';
import { orderKey } from './order.ts';

const { path, plan } = workerData as MergeThreadInput;
const answer = (message: MergeAnswer) => parentPort!.postMessage(message);

try {
  answer({ kind: 'done', outcome: await runMerge(directoryAt(path), plan, orderKey) });
} catch (error) {
  answer({ kind: 'failed', code: systemCode(error) || 'merge-failed', message: messageOf(error) });
}
