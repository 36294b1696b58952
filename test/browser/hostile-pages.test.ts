/** Tests results whose title, text or URL is an attack on the searcher: they are shown as plain text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { HOSTILE_COPY, KUROSHIO } from './small-archive.ts';
import { HOSTILE } from './small-searcher.ts';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();
const ATTACK = '"><script>globalThis.hacked=1</script><img src=x onerror=globalThis.hacked=1>';

test('no part of a hostile page becomes an element or runs', async () => {
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

test('a query with markup stays text in the search box, the title and the links', async () => {
  await visit(`/search?q=${encodeURIComponent(`${ATTACK} hostile`)}`, async (page) => {
    assert.equal(await page.locator('input[type=search]').inputValue(), `${ATTACK} hostile`);
    assert.equal(await page.title(), `${ATTACK} hostile · Gyre`);
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
  });
});

test('the content security policy blocks injected scripts', async () => {
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

test('direction marks cannot move the host name', async () => {
  await visit('/search?q=hostile+direction', async (page) => {
    const host = page.locator('.crumbs .host');
    assert.equal(await host.textContent(), 'bidi.example');
    const path = await page.locator('.crumbs bdi').nth(1).boundingBox();
    const hostBox = await host.boundingBox();
    assert.ok(hostBox && path && hostBox.x + hostBox.width <= path.x);
    assert.doesNotMatch(String(await page.locator('.result').textContent()), /[\u202a-\u202e\u2066-\u2069]/);
  });
});

const attack = encodeURIComponent(ATTACK);
const evil = encodeURIComponent(HOSTILE[0]!.url);

/** The URLs of every page and every state of the results page, each with an attack in its parameters. */
const STATES: Record<string, string> = {
  start: `/?q=${attack}`,
  results: '/search?q=hostile',
  'results in Arabic': '/search?q=hostile',
  'another page': '/search?q=hostile&page=2',
  tab: '/search?q=hostile&tab=news',
  products: '/search?q=hostile&tab=products',
  filters: '/search?q=hostile&lang=de&site=evil.example&type=html&period=week',
  'a bad filter': `/search?q=hostile&site=${attack}`,
  nothing: `/search?q=${attack}`,
  notes: `/search?q=hostile+note:+partial`,
  why: `/why?q=${attack}&url=${evil}`,
  'why a script': '/why?q=hostile&url=javascript:globalThis.hacked=1',
  copy: `/cached?url=${encodeURIComponent(HOSTILE_COPY)}&q=${attack}`,
  'no copy': `/cached?url=${evil}&q=hostile`,
  comparison: `/cached/compare?url=${encodeURIComponent(KUROSHIO)}&from=${attack}&to=20250601120000`,
  preferences: `/preferences?saved=${attack}`,
  crawler: `/bot?${attack}`,
  nowhere: `/${attack}`,
  'an unknown site': `/icon/${attack}`,
};

for (const [name, path] of Object.entries(STATES)) {
  test(`nothing runs or leaves its box: ${name}`, async () => {
    const look = async (page: Page) => {
      await page.evaluate('for (const menu of document.querySelectorAll("details")) menu.open = true');
      assert.equal(await page.evaluate('globalThis.hacked'), undefined);
      assert.equal(
        await page.locator('[onclick], [onerror], [onload], body > script, iframe[srcdoc]').count(),
        0,
      );
      assert.equal(await page.locator('body > footer.foot').count(), 1);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
      assert.ok((await page.content()).length < 100_000);
    };
    const locale = name.endsWith('Arabic') ? { locale: 'ar' } : {};
    await visit(path, look, {
      viewport: { width: 390, height: 800 },
      expectedErrors: /status of 4/,
      ...locale,
    });
  });
}

test('a site icon with HTML inside runs nothing, in the list or alone', async () => {
  const look = async (page: Page) => {
    const answer = await page.goto('/icon/evil.example');
    assert.equal(answer?.headers()['x-content-type-options'], 'nosniff');
    assert.match(answer?.headers()['content-security-policy'] ?? '', /sandbox/);
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
    assert.equal(await page.locator('script').count(), 0);
  };
  // If the icon is opened as a page, the image viewer of the browser adds a style. The policy of the server
  // blocks it with this error.
  await visit('/search?q=hostile', look, { expectedErrors: /Applying inline style/ });
});

test('hostile results reached by keyboard and hostile suggestions stay text', async () => {
  await visit('/search?q=hostile', async (page) => {
    for (let at = 0; at <= HOSTILE.length; at++) await page.keyboard.press('j');
    await page.keyboard.press('/');
    await page.locator('input[type=search]').fill('hostil');
    await page.getByRole('option').first().waitFor();
    assert.match(String(await page.getByRole('listbox').textContent()), /<img src=x/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/onerror/);
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
  });
});
