import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archiveFiles, noDamage, scanMembers, WARC_START } from '../../archive/mod.ts';
import { temporaryDirectory } from '../../archive/warc/warc.fixture.ts';
import { JOURNAL_START, journalFiles, readJournal } from '../../journal/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { openCaptureStore } from './capture-store.ts';
import { captureStoreConformance } from './capture-store-conformance.fixture.ts';

for (const rotateBytes of [1, 1e9]) {
  captureStoreConformance(`captures in files of ${rotateBytes} bytes`, async (t) => {
    const [archive, journal] = [temporaryDirectory(t), temporaryDirectory(t)];
    const options = { archive, journal, rotateBytes, software: 'Gyre test', clock: { now: () => 0 } };
    return {
      open: async (mark) => openCaptureStore(options, mark ?? { warc: WARC_START, journal: JOURNAL_START }),
      archived: async ({ warc }) => {
        const urls: string[] = [];
        for (const { stored, end } of archiveFiles(archive, warc)) {
          const file = archive.open(stored);
          for (const { record } of scanMembers(file, 'gzip', noDamage(), { end }))
            if (record.type === 'response') urls.push(record.targetUri);
          file.close();
        }
        return urls;
      },
      published: async () =>
        journalFiles(journal).flatMap((file) => [...readJournal(journal, file)].map(({ url }) => url)),
    };
  });
}

test('readers of local files see committed records after they are published, not before', async (t) => {
  const [archive, journal] = [temporaryDirectory(t), temporaryDirectory(t)];
  const options = { archive, journal, rotateBytes: 1e9, software: 'Gyre test', clock: { now: () => 0 } };
  const store = openCaptureStore(options, { warc: WARC_START, journal: JOURNAL_START });
  t.after(() => store.close());
  store.record({ kind: 'gone', url: 'https://example.org/' as CanonicalUrl, fetchedAt: 1, status: 404 });
  await store.seal();
  store.committed();
  assert.deepEqual(journalFiles(journal), []);
  store.publish();
  assert.equal(journalFiles(journal).length, 1);
  assert.equal(store.publishedFiles, 1);
});
