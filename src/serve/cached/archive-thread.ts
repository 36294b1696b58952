/** The worker thread of `archive-pool.ts`. Each thread has its own archive reader, unless tasks bring their captures. */
import { workerData } from 'node:worker_threads';
import { ArchiveReader, type CaptureNeed, type CaptureReader, readFetched } from '../../archive/mod.ts';
import { directoryAt, messageOf, serveTasks, systemClock } from '../../base/mod.ts';
import { noteBrokenRules, openReading, type ReadingPlan } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { type ArchiveTask, type CopyResult, type CopyTask, doCopyTask } from './copy-tasks.ts';
import { archivedCopies } from './page-archive.ts';
import { readContents } from './page-contents.ts';

await serveTasks<ArchiveTask, CopyResult | CaptureNeed>(async () => {
  const { path, reading } = workerData as { path: string | null; reading: ReadingPlan | null };
  const files = path === null ? null : new ArchiveReader(directoryAt(path));
  const optionsFor = await readingOf(reading);
  const read = (task: CopyTask | { kind: 'contents'; url: CanonicalUrl }, reader: CaptureReader) =>
    task.kind === 'contents'
      ? readContents(reader, task.url, optionsFor(task.url, false), systemClock.now())
      : doCopyTask(archivedCopies(reader), task, systemClock.now());
  return {
    handle: ({ task, fetched }) => {
      if (task.kind === 'captures') return { kind: 'captures', captures: files!.query(task.query) };
      return fetched ? readFetched(fetched, (reader) => read(task, reader)) : read(task, files!);
    },
  };
});

/** Opens the operator's rules for reading pages. If they are broken, pages are read without them, as copies are. */
async function readingOf(plan: ReadingPlan | null): ReturnType<typeof openReading> {
  try {
    if (plan) return await openReading(plan);
  } catch (error) {
    noteBrokenRules(messageOf(error));
  }
  return () => ({});
}
