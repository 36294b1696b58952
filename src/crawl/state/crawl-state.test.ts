import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectory } from '../../base/mod.ts';
import { crawlStateConformance } from './crawl-state-conformance.fixture.ts';
import { openCrawlState } from './sqlite/sqlite-state.ts';

crawlStateConformance('a crawl state in SQLite', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-state-'));
  t.after(() => rmSync(path, { recursive: true }));
  const directory = openDirectory(path);
  return async (owner) => openCrawlState(directory, { owner });
});
