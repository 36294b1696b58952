/** The worker thread of `record-reader.ts`, which parses archived records. */
import { workerData } from 'node:worker_threads';
import { serveTasks } from '../base/mod.ts';
import { openReading, type ReadingPlan } from '../page/mod.ts';
import { archivedRecord, interpretRecord, type RecordMeaning } from './archived-page.ts';
import type { RecordInput } from './record-reader.ts';

await serveTasks<RecordInput, RecordMeaning>(async () => {
  const optionsFor = await openReading(workerData as ReadingPlan);
  return {
    handle({ url, record }, isPlain) {
      const { buffer, byteOffset, length } = record.block;
      const block = Buffer.from(buffer, byteOffset, length);
      return interpretRecord(archivedRecord({ ...record, block }), url, optionsFor(url, isPlain));
    },
  };
});
