import { archiveFiles, noDamage, scanMembers, WARC_START } from '../../archive/mod.ts';
import { temporaryDirectory } from '../../archive/warc/warc.fixture.ts';
import { JOURNAL_START, journalFiles, readJournal } from '../../journal/mod.ts';
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
