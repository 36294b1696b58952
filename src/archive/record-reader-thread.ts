/** The worker thread of `record-reader.ts`, which parses archived records. */
import { workerData } from 'node:worker_threads';
import { serveTasks } from '../base/mod.ts';
import { loadExtractors, noteExtractors } from '../page/mod.ts';
import { archivedRecord, interpretRecord, type RecordMeaning } from './archived-page.ts';
import type { RecordInput } from './record-reader.ts';

await serveTasks<RecordInput, RecordMeaning>(async () => {
  const { extractors: paths } = workerData as { extractors: string[] };
  const extractors = await loadExtractors(paths);
  return {
    handle({ url, record }, isPlain) {
      const { buffer, byteOffset, length } = record.block;
      const block = Buffer.from(buffer, byteOffset, length);
      const report = noteExtractors(url);
      return interpretRecord(
        archivedRecord({ ...record, block }),
        url,
        isPlain ? {} : { extractors, report },
      );
    },
  };
});
