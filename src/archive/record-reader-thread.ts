/** The thread behind `record-reader.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { BusyCell, messageOf } from '../base/mod.ts';
import { loadExtractors } from '../page/mod.ts';
import { archivedRecord, type Meaning, meaningOf } from './archived-page.ts';
import type { RecordReply, RecordRequest } from './record-reader.ts';

const port = parentPort;
if (!port) throw new Error('this file is a thread of the archive');

const { extractors: paths } = workerData as { extractors: string[] };
const extractors = await loadExtractors(paths).catch((error: unknown) => {
  port.postMessage({ kind: 'broken', message: messageOf(error) } satisfies RecordReply);
  return [];
});
const busy = new BusyCell(workerData);

port.on('message', (request: RecordRequest) => {
  const { id } = request;
  const meaning = busy.during(id, () => read(request));
  port.postMessage({ kind: 'read', id, meaning } satisfies RecordReply);
});

/** A bug in reading costs the record that met it, and no other. */
function read({ url, record }: RecordRequest): Meaning {
  const { buffer, byteOffset, length } = record.block;
  const block = Buffer.from(buffer, byteOffset, length);
  const report = (name: string, error: unknown) =>
    port!.postMessage({ kind: 'extractor', name, url, message: messageOf(error) } satisfies RecordReply);
  try {
    return meaningOf(archivedRecord({ ...record, block }), url, { extractors, report });
  } catch (error) {
    return { kind: 'failed', reason: `cannot be read: ${messageOf(error)}` };
  }
}
