/** The worker thread of `archive-pool.ts`. Each thread has its own archive reader, unless tasks bring their captures. */
import { workerData } from 'node:worker_threads';
import { ArchiveReader, type CaptureNeed, type CaptureReader, readFetched } from '../../archive/mod.ts';
import { directoryAt, serveTasks, systemClock } from '../../base/mod.ts';
import { type ArchiveTask, type CopyResult, type CopyTask, doCopyTask } from './copy-tasks.ts';
import { archivedCopies } from './page-archive.ts';

await serveTasks<ArchiveTask, CopyResult | CaptureNeed>(() => {
  const { path } = workerData as { path: string | null };
  const files = path === null ? null : new ArchiveReader(directoryAt(path));
  const read = (task: CopyTask, reader: CaptureReader) =>
    doCopyTask(archivedCopies(reader), task, systemClock.now());
  return {
    handle: ({ task, fetched }) => {
      if (task.kind === 'captures') return { kind: 'captures', captures: files!.query(task.query) };
      return fetched ? readFetched(fetched, (reader) => read(task, reader)) : read(task, files!);
    },
  };
});
