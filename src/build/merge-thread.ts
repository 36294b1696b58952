/** The thread of one merge; see merge-runner.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { directoryAt, messageOf, systemCode } from '../base/mod.ts';
import { runMerge } from '../index/mod.ts';
import type { MergeAnswer, MergeInput } from './merge-runner.ts';
import { orderKey } from './order.ts';

const { path, plan } = workerData as MergeInput;
const answer = (message: MergeAnswer) => parentPort!.postMessage(message);

try {
  answer({ kind: 'done', outcome: await runMerge(directoryAt(path), plan, orderKey) });
} catch (error) {
  answer({ kind: 'failed', code: systemCode(error) || 'merge-failed', message: messageOf(error) });
}
