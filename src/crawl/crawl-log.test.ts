import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { CrawlLog } from './crawl-log.ts';

test('a reason from the web cannot forge a log line or contain terminal escapes', (context) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-crawl-log-'));
  context.after(() => rmSync(path, { recursive: true }));
  const log = new CrawlLog(openDirectory(path), 1e6);
  const url = 'https://example.org/' as CanonicalUrl;
  const reason = 'a\u2028b\u009b2Jc\u202ed';
  log.write([{ time: '', url, status: 200, state: 'done', reason, bytes: 1, ms: 1 }]);
  log.close();
  const text = readFileSync(join(path, 'crawl.log'), 'utf8');
  assert.doesNotMatch(text.trimEnd(), /[\u007f-\u009f\u2028\u202e\n]/);
  assert.equal(JSON.parse(text).reason, reason);
});
