/**
 * Tests the appearance of pages: they fit every screen, are readable in light and dark mode, and show the
 * focus.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { KUROSHIO } from './small-archive.ts';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();
const PATHS = [
  '/',
  '/search?q=gyre',
  '/search?q=current&page=3',
  '/search?q=hostile',
  '/search?q=note:+partial',
  '/bot',
  '/preferences',
  `/why?q=gyre&url=${encodeURIComponent(KUROSHIO)}`,
  `/cached?url=${encodeURIComponent(KUROSHIO)}`,
  `/cached/compare?url=${encodeURIComponent(KUROSHIO)}&from=20230601120000`,
];

/** A script for the page: lists every element that has text, with its colour and its background colour. */
const COLOURS = `Array.from(document.querySelectorAll('body *'))
  .filter((element) => element.checkVisibility() && !element.classList.contains('unseen'))
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
  .map((element) => {
    let ground = element;
    while (getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)') ground = ground.parentElement;
    return [element.outerHTML.slice(0, 60), getComputedStyle(element).color, getComputedStyle(ground).backgroundColor];
  })`;

for (const colorScheme of ['light', 'dark'] as const) {
  test(`all text is readable in the ${colorScheme} scheme`, async () => {
    const look = async (page: Page) => {
      for (const path of PATHS) {
        await page.goto(path);
        const colours = (await page.evaluate(COLOURS)) as [string, string, string][];
        assert.ok(colours.length > 3);
        for (const [markup, ink, ground] of colours) {
          const ratio = contrast(ink, ground);
          assert.ok(ratio >= 4.5, `${path}: ${ratio.toFixed(2)} for ${markup}`);
        }
      }
    };
    await visit('/', look, { colorScheme });
  });
}

test('the page follows the scheme of the system', async () => {
  const ground = 'getComputedStyle(document.documentElement).backgroundColor';
  await visit('/', async (page) => assert.ok(luminance(await page.evaluate(ground)) > 0.8), {
    colorScheme: 'light',
  });
  await visit('/', async (page) => assert.ok(luminance(await page.evaluate(ground)) < 0.05), {
    colorScheme: 'dark',
  });
});

test('a date is separated from its snippet, also in the other direction', async () => {
  for (const locale of ['en', 'ar']) {
    await visit(
      '/search?q=kuroshio',
      async (page) => {
        const [date, snippet] = ['.about time', '.about .snippet'].map((each) => page.locator(each).first());
        const left = (await date!.boundingBox())!;
        const right = (await page.evaluate(
          "document.querySelector('.about .snippet').getClientRects()[0].x",
        )) as number;
        assert.ok(await snippet!.isVisible());
        assert.ok(right - (left.x + left.width) > 5, `${locale}: ${right - left.x - left.width}`);
      },
      { locale },
    );
  }
});

test('filters and menus open within the screen, with and without tabs', async () => {
  const look = async (page: Page) => {
    for (const path of ['/search?q=gyre', '/search?q=hostile']) {
      await page.goto(path);
      for (const [opener, sheet] of [
        ['.filters summary', '.filters form'],
        ['.menu summary', '.sheet'],
      ] as const) {
        await page.locator(opener).first().click();
        const box = (await page.locator(sheet).first().boundingBox())!;
        assert.ok(box.x >= 0 && box.x + box.width <= page.viewportSize()!.width, `${path} ${sheet}`);
        await page.keyboard.press('Escape');
      }
    }
  };
  for (const width of [320, 1100])
    for (const locale of ['en', 'ar']) await visit('/', look, { viewport: { width, height: 800 }, locale });
});

test('no page is wider than the screen, down to 280 pixels', async () => {
  await visit('/', async (page) => {
    for (const path of PATHS) {
      await page.goto(path);
      for (const width of [1920, 768, 375, 280]) {
        await page.setViewportSize({ width, height: 700 });
        const widest = Number(await page.evaluate('document.documentElement.scrollWidth'));
        assert.ok(widest <= width, `${path} is ${widest} wide on ${width}`);
      }
    }
  });
});

test('the focus is visible', async () => {
  await visit('/search?q=gyre', async (page) => {
    await page.keyboard.press('j');
    const focused = 'getComputedStyle(document.activeElement)';
    assert.equal(await page.evaluate('document.activeElement.className'), 'title');
    assert.equal(await page.evaluate(`${focused}.outlineStyle`), 'solid');
    assert.ok(Number.parseFloat(await page.evaluate(`${focused}.outlineWidth`)) >= 2);
  });
});

test('in forced colours the focus, the menu and the selection are visible', async () => {
  const look = async (page: Page) => {
    const style = (selector: string, property: string, part = '') =>
      page.evaluate(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(part)}).${property}`,
      );
    await page.locator('input[type=search]').focus();
    assert.equal(await style('.search', 'outlineStyle'), 'solid');
    await page.locator('.menu summary').first().click();
    assert.notEqual(await style('.menu summary', 'boxShadow', '::before'), 'none');
    const grounds = [];
    for (const pressed of ['true', 'false'])
      grounds.push(await style(`.sheet [aria-pressed="${pressed}"]`, 'backgroundColor'));
    assert.notEqual(grounds[0], grounds[1]);
    const lines = [];
    for (const tab of ['.tabs [aria-current]', '.tabs a:not([aria-current])'])
      lines.push(await style(tab, 'borderBottomColor'));
    assert.notEqual(lines[0], lines[1]);
    await page.goto('/');
    await page.locator('input[type=search]').pressSequentially('b');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    const options = [];
    for (const selected of ['true', 'false'])
      options.push(await style(`[role=option][aria-selected="${selected}"]`, 'backgroundColor'));
    assert.notEqual(options[0], options[1]);
  };
  await visit('/search?q=gyre', look, { forcedColors: 'active' });
});

test('a result in Arabic runs from right to left, its address from left to right', async () => {
  await visit(`/search?q=${encodeURIComponent('دوامة')}`, async (page) => {
    const direction = 'getComputedStyle(document.querySelector(selector)).direction';
    const directionOf = (selector: string) =>
      page.evaluate(direction.replace('selector', JSON.stringify(selector)));
    assert.equal(await directionOf('.result h2'), 'rtl');
    assert.equal(await directionOf('.snippet'), 'rtl');
    assert.equal(await directionOf('.crumbs'), 'ltr');
    assert.equal(await page.locator('mark').textContent(), 'دوامة');
  });
});

test('print shows the whole address and no controls', async () => {
  await visit('/search?q=kuroshio+plankton', async (page) => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.equal(await page.locator('input[type=search]').isVisible(), false);
    const after = `getComputedStyle(document.querySelector('.title'), '::after').content`;
    assert.match(
      String(await page.evaluate(after)),
      /https:\/\/www\.ocean-atlas\.example\/currents\/kuroshio/,
    );
    assert.ok(
      luminance(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')) > 0.9,
    );
  });
});

/** Returns the contrast of two colours by WCAG 2.2: (L1 + 0.05) / (L2 + 0.05). */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light! + 0.05) / (dark! + 0.05);
}

function luminance(colour: unknown): number {
  const channels = String(colour).match(/^rgb\((\d+), (\d+), (\d+)\)$/);
  assert.ok(channels, `not an opaque colour: ${colour}`);
  const [red, green, blue] = channels.slice(1).map((channel) => {
    const value = Number(channel) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
