/**
 * The short form of every hostile host: an honest host beside it is crawled, the crawl survives, and SIGINT
 * ends it. The bars on rates and memory are checked by `npm run attack`, which needs an idle machine.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOSTILE_HOSTS } from '../attack/catalogue.ts';
import { witnessCrawl } from '../attack/crawl-witness.ts';

/** Without an attack the honest host serves this many pages in a second. */
const HONEST_PAGES = 15;
const PATIENCE_SECONDS = 15;
const INTERRUPT_SECONDS = 10;

for (const attack of HOSTILE_HOSTS) {
  if (attack.isControl) continue;
  test(`${attack.name}: an honest host beside it is crawled, and SIGINT ends the crawl`, async () => {
    const report = await witnessCrawl(attack, {
      form: 'short',
      seconds: PATIENCE_SECONDS,
      enough: HONEST_PAGES,
    });
    const { honestPages, interruptSeconds, endedWith, stderr } = report;
    assert.ok(endedWith === null || endedWith === 0, `the crawl ended with ${endedWith}: ${stderr}`);
    assert.ok(
      honestPages >= HONEST_PAGES,
      `${honestPages} honest pages in ${PATIENCE_SECONDS} s: ${attack.what}`,
    );
    assert.ok((interruptSeconds ?? 0) < INTERRUPT_SECONDS, `SIGINT took ${interruptSeconds} s`);
  });
}
