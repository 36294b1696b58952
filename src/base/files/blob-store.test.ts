import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blobsIn } from './blob-store.ts';
import { blobStoreConformance } from './blob-store-conformance.fixture.ts';
import { openDirectory } from './directory.ts';

blobStoreConformance('blobs in a directory', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-blobs-'));
  t.after(() => rmSync(path, { recursive: true }));
  return blobsIn(openDirectory(path));
});
