/** Pages that attack the searcher through their title, text or address get shown as text and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { HOSTILE } from './small-searcher.ts';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();
const ATTACK = '"><script>globalThis.hacked=1</script><img src=x onerror=globalThis.hacked=1>';

test('nothing of a hostile page becomes an element or runs', async () => {
  await visit('/search?q=hostile', async (page) => {
    assert.equal(await page.locator('.result').count(), HOSTILE.length);
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
    const foreign = page.locator(
      '.results :is(script, img:not(.icon), iframe, svg, style, object, form), [onclick], [onerror], [onload]',
    );
    assert.equal(await foreign.count(), 0);
    assert.equal(await page.locator('.result h2 a').first().textContent(), HOSTILE[0]!.title);
    assert.equal(await page.locator('.snippet').first().textContent(), HOSTILE[0]!.text);
  });
});

test('links lead only to web pages', async () => {
  await visit('/search?q=hostile', async (page) => {
    const addresses = (await page.evaluate('Array.from(document.links, (link) => link.href)')) as string[];
    assert.ok(addresses.length > HOSTILE.length);
    for (const address of addresses) assert.match(address, /^https?:/);
    await page.getByRole('link', { name: 'hostile scheme' }).click();
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
  });
});

test('a query that carries markup stays text in the box, the title and the links', async () => {
  await visit(`/search?q=${encodeURIComponent(`${ATTACK} hostile`)}`, async (page) => {
    assert.equal(await page.locator('input[type=search]').inputValue(), `${ATTACK} hostile`);
    assert.equal(await page.title(), `${ATTACK} hostile · Gyre`);
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
  });
});

test('the policy of the page would stop a script even if one got in', async () => {
  const inject = `new Promise((resolve) => {
    addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
    document.body.insertAdjacentHTML('beforeend', '<b onclick="globalThis.hacked = 1">x</b>');
    document.body.lastElementChild.click();
  })`;
  const look = async (page: Page) => {
    assert.equal(await page.evaluate(inject), 'script-src-attr');
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
  };
  await visit('/', look, { expectedErrors: /Content Security Policy/ });
});

test('text that turns its direction cannot move the name of the host', async () => {
  await visit('/search?q=hostile+direction', async (page) => {
    const host = page.locator('.crumbs .host');
    assert.equal(await host.textContent(), 'bidi.example');
    const path = await page.locator('.crumbs bdi').nth(1).boundingBox();
    const hostBox = await host.boundingBox();
    assert.ok(hostBox && path && hostBox.x + hostBox.width <= path.x);
    assert.doesNotMatch(String(await page.locator('.result').textContent()), /[\u202a-\u202e\u2066-\u2069]/);
  });
});
