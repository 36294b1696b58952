/** The thread that reads the journal for the change feed, so that the thread that accepts connections does not wait. */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { directoryAt, serveChannel, systemClock } from '../../base/mod.ts';
import type { ChangeBatch, ChangeRequest } from '../../serve/mod.ts';
import { ChangeReader } from './change-reader.ts';

export type FeedThreadRequest = { kind: 'tip' } | ({ kind: 'read' } & ChangeRequest);

const { path } = workerData as { path: string };
const [root, journal] = [directoryAt(path), directoryAt(join(path, 'journal'))];
const reader = new ChangeReader({ root, journal, now: systemClock.now });

serveChannel<FeedThreadRequest, string | ChangeBatch>({
  handle: (request) => (request.kind === 'tip' ? reader.tip() : reader.read(request)),
});
