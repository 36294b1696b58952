/** The worker thread of `archive-pool.ts`. Each thread has its own archive reader. */
import { workerData } from 'node:worker_threads';
import { ArchiveReader } from '../../archive/mod.ts';
import { directoryAt, serveTasks, systemClock } from '../../base/mod.ts';
import { type CopyResult, type CopyTask, doCopyTask } from './copy-tasks.ts';
import { archivedCopies } from './page-archive.ts';

await serveTasks<CopyTask, CopyResult>(() => {
  const { path } = workerData as { path: string };
  const store = archivedCopies(new ArchiveReader(directoryAt(path)));
  return { handle: (task) => doCopyTask(store, task, systemClock.now()) };
});
