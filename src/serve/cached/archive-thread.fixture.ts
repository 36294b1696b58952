/**
 * The worker thread for tests of the archive pool. It never returns from a task for `/loop`, and numbers the
 * copies that it creates for other paths.
 */
import { serveTasks } from '../../base/mod.ts';
import type { ArchiveTask, CopyResult } from './copy-tasks.ts';

let made = 0;

await serveTasks<ArchiveTask, CopyResult>(() => ({
  handle({ task: { url } }) {
    if (new URL(url).pathname === '/loop') for (;;);
    const copy = { at: '20260101000000', fetchedAt: 0 };
    return {
      kind: 'copy',
      copy,
      copies: [copy],
      isCut: false,
      isDark: false,
      title: '',
      hasMatch: false,
      document: `copy ${++made}`,
    };
  },
}));
