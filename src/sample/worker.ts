/** The thread of `startSampleWebThread`. It starts and closes the sample web on request. */
import { type Log, type LogFields, type LogLevel, sendEvent, serveChannel } from '../base/mod.ts';
import { type SampleWeb, startSampleWeb } from './sample-web.ts';
import type { SampleWebFacts, SampleWebLogLine, SampleWebRequest } from './thread.ts';

const at = (level: LogLevel) => (event: string, fields?: LogFields) =>
  sendEvent({ level, event, fields } satisfies SampleWebLogLine);
const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
let started: SampleWeb | null = null;

serveChannel<SampleWebRequest, SampleWebFacts | null>({
  async handle(request) {
    if (request !== 'close') {
      started = await startSampleWeb({ ...request, log });
      const { close: _, ...facts } = started;
      return facts;
    }
    await started?.close();
    return null;
  },
});
