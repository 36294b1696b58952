import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { noDamage, scanMembers } from '../../archive/mod.ts';
import { blobsIn } from '../../base/files/blob-store.ts';
import { type BlobStore, type Directory, openDirectory } from '../../base/mod.ts';
import { captureStoreConformance } from '../../crawl/state/capture-store-conformance.fixture.ts';
import { journalName, readJournal } from '../../journal/mod.ts';
import { openS3BlobStore } from '../s3-blob-store.ts';
import { bucketAccess, createBucket } from '../test-bucket.fixture.ts';
import { openObjectCaptures } from './object-capture-store.ts';

function temporaryDirectory(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-captures-'));
  t.after(() => rmSync(path, { recursive: true }));
  return openDirectory(path);
}

/** Returns the number in the name of an object. */
function batchOf(name: string): number {
  return Number(/-(\d{8})\./.exec(name)![1]);
}

function conformance(
  name: string,
  open: (t: TestContext) => Promise<{ archive: BlobStore; journal: BlobStore }>,
) {
  captureStoreConformance(name, async (t) => {
    const { archive, journal } = await open(t);
    const local = temporaryDirectory(t);
    const options = { archive, journal, node: 'node', software: 'Gyre test', compression: 'gzip' as const };
    return {
      open: (mark) => openObjectCaptures({ ...options, clock: { now: () => 0 } }, mark),
      archived: async ({ warc }) => {
        const urls: string[] = [];
        for (const object of await archive.list('')) {
          if (batchOf(object) > warc.file) continue;
          local.replace(object, await archive.get(object));
          const file = local.open(object);
          for (const { record } of scanMembers(file, 'gzip', noDamage()))
            if (record.type === 'response') urls.push(record.targetUri);
          file.close();
        }
        return urls;
      },
      published: async (mark) => {
        const urls: string[] = [];
        for (const object of await journal.list('')) {
          if (batchOf(object) > mark.journal.file) continue;
          const file = journalName(batchOf(object), 'n1');
          local.replace(file, await journal.get(object));
          for (const { url } of readJournal(local, file)) urls.push(url);
        }
        return urls;
      },
    };
  });
}

conformance('captures as objects in a directory', async (t) => ({
  archive: blobsIn(temporaryDirectory(t)),
  journal: blobsIn(temporaryDirectory(t)),
}));

conformance('captures as objects in S3', async (t) => {
  const bucket = await createBucket(t);
  const open = (prefix: string) => openS3BlobStore({ ...bucketAccess, bucket, prefix });
  return { archive: await open('archive/'), journal: await open('journal/') };
});
