/**
 * Tests every kind of answer box in a real browser: the box is accessible, fits the page at any width, and
 * runs no code from its content.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { type Answer, type AnswerBox, Answerer } from '../../src/answer/mod.ts';
import { silentLog, systemClock } from '../../src/base/mod.ts';
import { checkAccessibility } from './axe.ts';
import { HOSTILE_ANSWER, SAMPLE_ANSWERS } from './sample-answers.ts';
import { prepareVisits } from './visit.ts';

/** One box for each query. The queries of two words find no pages; `kuroshio` and `oyashio` find some. */
const boxes = [
  ...Object.entries({ ...SAMPLE_ANSWERS, hostile: HOSTILE_ANSWER }).map(([name, answer]) =>
    boxFor(`kuroshio ${name}`, answer),
  ),
  boxFor('kuroshio', SAMPLE_ANSWERS.site),
  boxFor('oyashio', SAMPLE_ANSWERS.knowledge),
];
const asked: string[] = [];
const nearby: AnswerBox = {
  name: 'nearby',
  cacheMs: 0,
  matches: (query, { place }) => query === 'kuroshio here' && place !== undefined,
  wantsPlace: (query) => query === 'kuroshio here',
  answer(_query, { place }): Answer {
    asked.push(`${place!.latitude} ${place!.longitude}`);
    return { ...SAMPLE_ANSWERS.weather, title: 'Here' };
  },
};
const answerer = new Answerer({ boxes: [...boxes, nearby], clock: systemClock, log: silentLog });
const visit = prepareVisits({ answerer });

function boxFor(asked: string, answer: Answer): AnswerBox {
  return { name: asked, cacheMs: 1000, matches: (query) => query === asked, answer: () => answer };
}

const path = (name: string) => `/search?q=kuroshio+${name}`;

for (const name of Object.keys(SAMPLE_ANSWERS)) {
  test(`the ${name} box is accessible in light and dark, and fits a phone`, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const look = async (page: Page) => {
        await page.locator('.answer').waitFor();
        await checkAccessibility(page);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
      };
      await visit(path(name), look, { colorScheme, bypassCSP: true, viewport: { width: 360, height: 740 } });
    }
  });
}

test('a box is beside the results from 1100 pixels on, and the panel of a site below them on a phone', async () => {
  const look = async (page: Page) => {
    await page.locator('.answer').waitFor();
    for (const width of [1100, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const [results, box] = [await boxOf(page, '.results'), await boxOf(page, '.answer')];
      assert.ok(box.x >= results.x + results.width + 24, `${width}: the box overlaps the results`);
      assert.ok(box.x + box.width <= width, `${width}: the box leaves the screen`);
      assert.ok(box.y <= results.y, `${width}: the box is below the first result`);
      assert.ok(results.width > 500 && box.width >= 272, `${width}: ${results.width} and ${box.width}`);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    const [results, box] = [await boxOf(page, '.results'), await boxOf(page, '.answer')];
    assert.equal(box.y > results.y, page.url().endsWith('kuroshio'));
    assert.ok(box.x + box.width <= 390);
  };
  for (const query of ['kuroshio', 'oyashio']) await visit(`/search?q=${query}`, look);
});

const boxOf = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())!;

test('an answer full of markup is text in its box', async () => {
  await visit(path('hostile'), async (page) => {
    const box = page.locator('.answer');
    await box.waitFor();
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
    assert.equal(await box.locator('script, img, iframe, [onclick]').count(), 0);
    assert.equal(await box.locator('ul a').getAttribute('href'), '#');
    assert.doesNotMatch(String(await box.textContent()), /[\u202a-\u202e\u2066-\u2069]/);
    assert.ok(String(await box.textContent()).length < 3000);
    const [inner, outer] = [await box.boundingBox(), await page.locator('main').boundingBox()];
    assert.ok(inner && outer && inner.x + inner.width <= outer.x + outer.width + 1);
  });
});

/** A script that counts how often the page asks the browser for its location. */
const COUNT_LOCATIONS = `globalThis.locations = 0;
const ask = Geolocation.prototype.getCurrentPosition;
Geolocation.prototype.getCurrentPosition = function (...all) { locations++; return ask.apply(this, all); };`;

test('a button asks for the location, which is rounded to a tenth of a degree', async () => {
  const look = async (page: Page) => {
    await page.addInitScript(COUNT_LOCATIONS);
    await page.reload();
    const button = page.getByRole('button', { name: 'Use my location' });
    await button.waitFor();
    assert.deepEqual(asked, []);
    assert.equal(await page.evaluate('globalThis.locations'), 0, 'the browser is not asked before the click');
    await page.context().grantPermissions(['geolocation']);
    await button.click();
    await page.getByRole('heading', { name: 'Here', exact: true }).waitFor();
    assert.deepEqual(asked.splice(0), ['38.7 -9.1']);
    assert.equal(await page.evaluate('globalThis.locations'), 1);
    await page.reload();
    await page.getByRole('heading', { name: 'Here', exact: true }).waitFor();
    assert.equal(asked.splice(0).length, 1);
  };
  await visit(path('here'), look, { geolocation: { latitude: 38.7223, longitude: -9.1393 } });
});

test('a denied location shows a message, and the results stay', async () => {
  await visit(path('here'), async (page) => {
    await page.getByRole('button', { name: 'Use my location' }).click();
    await page.getByText('does not share your location').waitFor();
    assert.deepEqual(asked, []);
    assert.equal(await page.getByRole('button', { name: 'Use my location' }).isEnabled(), true);
  });
});
