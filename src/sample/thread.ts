/**
 * Runs the sample web in a thread, so that rendering does not slow down the crawler. Log lines are returned
 * as events; the thread ends when the web is closed.
 */
import { type LogFields, type LogLevel, WorkerChannel } from '../base/mod.ts';
import type { SampleWeb, SampleWebOptions } from './sample-web.ts';

export type SampleWebFacts = Omit<SampleWeb, 'close'>;
export type SampleWebRequest = Omit<SampleWebOptions, 'log'> | 'close';

export interface SampleWebLogLine {
  level: LogLevel;
  event: string;
  fields: LogFields | undefined;
}

export async function startSampleWebThread(options: SampleWebOptions): Promise<SampleWeb> {
  const { log, ...request } = options;
  const thread = new WorkerChannel<SampleWebRequest, SampleWebFacts | null, SampleWebLogLine>(
    new URL('./worker.ts', import.meta.url),
    { onEvent: ({ level, event, fields }) => log[level](event, fields) },
  );
  let isClosed = false;
  void thread.ended.then(() => {
    if (!isClosed) log.error('sample web failed');
  });
  const close = async () => {
    isClosed = true;
    await thread.ask('close').catch(() => undefined);
    await thread.close();
  };
  try {
    const web = await thread.ask(request);
    return { ...web!, close };
  } catch (error) {
    await close();
    throw error;
  }
}
