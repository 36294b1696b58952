/**
 * Reads the Markdown documents of the installed npm packages. They are the pages of the sample web, but
 * without a crawl.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parsePage } from '../../src/page/mod.ts';
import { canonicalize } from '../../src/url/mod.ts';
import type { BenchDocument } from './measure.ts';

const ROOT = join(import.meta.dirname, '..', '..', 'node_modules');
const MAX_FILE_BYTES = 1024 * 1024;

export function* installedDocs(): Generator<BenchDocument> {
  const url = canonicalize('https://example.org/')!;
  for (const file of globSync('{*,@*/*}/**/*.md', { cwd: ROOT }).sort()) {
    const path = join(ROOT, file);
    if (statSync(path).size > MAX_FILE_BYTES) continue;
    const page = parsePage({ url, contentType: 'text/markdown', body: readFileSync(path), xRobotsTag: [] });
    if (page && page.title !== '') yield page;
  }
}
