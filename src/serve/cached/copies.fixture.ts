/** Makes an archive of pages for tests, without worker threads. */
import { type Clock, systemClock } from '../../base/mod.ts';
import { type CopyResult, type CopyTask, doCopyTask } from './copy-tasks.ts';
import type { CopyStore, PageArchive } from './page-archive.ts';

export function archiveOver(
  store: CopyStore,
  picture: PageArchive['picture'] = async () => null,
  clock: Clock = systemClock,
): PageArchive {
  const run = async (task: CopyTask): Promise<CopyResult> => doCopyTask(store, task, clock.now());
  return {
    copy: (url, at, query) => run({ kind: 'copy', url, at, query }) as ReturnType<PageArchive['copy']>,
    compare: (url, from, to) => run({ kind: 'compare', url, from, to }) as ReturnType<PageArchive['compare']>,
    page: (url) => run({ kind: 'page', url }) as ReturnType<PageArchive['page']>,
    picture,
  };
}
