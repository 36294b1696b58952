/**
 * Tests with real URLs: every link in the documentation of the installed packages. None of them may count as a trap.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import { type Page, parsePage } from '../../page/mod.ts';
import { startSampleWeb } from '../../sample/sample-web.ts';
import { contentKey, keyWithoutDigits } from '../../sketch/content-ranges.ts';
import { sketchOfPage } from '../../sketch/sketch.ts';
import { ask } from '../../synthetic-web/ask.ts';
import { type CanonicalUrl, canonicalize, hostOf, originOf, pathOf } from '../../url/mod.ts';
import { TrapDetectors } from './trap-detectors.ts';

const ROOTS = [join(import.meta.dirname, '../../../node_modules')];

test('no page and no link of the sample web is cut', async (t) => {
  const web = await startSampleWeb({ roots: ROOTS, log: silentLog });
  t.after(() => web.close());
  const detectors = new TrapDetectors({ now: Date.now });
  const queue = web.seeds.map((seed) => canonicalize(seed)!);
  const seen = new Set(queue);
  for (const url of queue) {
    const page = await read(web.port, url);
    if (!page) continue;
    assert.equal(detectors.of(originOf(url)).assess(url).trap, null, url);
    const links = page.links.map((link) => link.url);
    for (const link of links) {
      const { trap } = detectors.of(originOf(link)).discovered(link, url);
      assert.equal(trap, null, `${link}: ${trap?.kind}`);
      if (seen.has(link)) continue;
      seen.add(link);
      if (originOf(link).endsWith(`:${web.port}`)) queue.push(link);
    }
    const keys = { contentKey: contentKey(page), titleKey: keyWithoutDigits(page.title) };
    const content = { ...sketchOfPage(page), ...keys };
    const own = links.filter((link) => originOf(link) === originOf(url));
    detectors.of(originOf(url)).fetched(url, content, own);
  }
  t.diagnostic(`${queue.length} pages asked for, ${seen.size} addresses assessed`);
  assert.ok(seen.size > 500);
});

async function read(port: number, url: CanonicalUrl): Promise<Page | null> {
  const { status, headers, body } = await ask(port, hostOf(url), pathOf(url));
  if (status !== 200) return null;
  return parsePage({ url, contentType: headers['content-type'] ?? '', body, xRobotsTag: [] });
}
