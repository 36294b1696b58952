/** The change feed of a data directory. Its thread starts with the first request, and again after it has died. */
import { WorkerChannel } from '../../base/mod.ts';
import type { ChangeBatch, ChangeFeed } from '../../serve/mod.ts';
import type { FeedThreadRequest } from './feed-thread.ts';

type Thread = WorkerChannel<FeedThreadRequest, string | ChangeBatch>;

/** `path` is the data directory. `close` ends the thread. */
export function openChangeFeed(path: string): ChangeFeed & { close(): Promise<void> } {
  let thread: Thread | null = null;
  const ask = <Reply>(request: FeedThreadRequest) => {
    thread ??= start();
    return thread.ask(request) as Promise<Reply>;
  };
  const start = () => {
    const started: Thread = new WorkerChannel(new URL('./feed-thread.ts', import.meta.url), {
      data: { path },
    });
    void started.ended.then(() => {
      if (thread === started) thread = null;
    });
    return started;
  };
  return {
    read: (request) => ask<ChangeBatch>({ kind: 'read', ...request }),
    tip: () => ask<string>({ kind: 'tip' }),
    close: async () => {
      await thread?.close();
    },
  };
}
