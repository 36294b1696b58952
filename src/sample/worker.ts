/** The thread of `startSampleWebThread`: starts the web, reports, and waits for a message to close. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Log, type LogFields, type LogLevel, UsageError } from '../base/mod.ts';
import { startSampleWeb } from './sample-web.ts';
import type { ThreadMessage, ThreadOptions } from './thread.ts';

const port = parentPort!;
const post = (message: ThreadMessage) => port.postMessage(message);
const at = (level: LogLevel) => (event: string, fields?: LogFields) =>
  post({ kind: 'log', level, event, fields });
const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };

try {
  const { close, ...web } = await startSampleWeb({ ...(workerData as ThreadOptions), log });
  port.once('message', () => void close());
  post({ kind: 'ready', web });
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  post({ kind: 'refused', code: error.code, message: error.message });
}
