/**
 * Tests the short form of every hostile host: an honest host is crawled at the same time, the crawl survives,
 * and SIGINT ends it. `npm run attack` checks the limits on rates and memory, and needs an idle machine.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOSTILE_HOSTS } from '../attack/catalogue.ts';
import { witnessCrawl } from '../attack/crawl-witness.ts';

/** The number of pages of the honest host that must be crawled. Without an attack this takes a second. */
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
