/**
 * Tests accessibility: axe checks WCAG 2.2 AA in the browser on every page and in every state, and pages are
 * used with the keyboard alone.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { checkAccessibility } from './axe.ts';
import { KUROSHIO, UNSHOWN } from './small-archive.ts';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();

interface State {
  name: string;
  path: string;
  act?: (page: Page) => Promise<unknown>;
  fails?: boolean;
}

const LISTENING = `globalThis.SpeechRecognition = class extends EventTarget { start() {} stop() {} };`;

const STATES: State[] = [
  { name: 'the start page', path: '/' },
  {
    name: 'suggestions',
    path: '/',
    act: async (page) => {
      await page.locator('input[type=search]:focus').waitFor();
      await page.keyboard.type('b');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
    },
  },
  {
    name: 'listening',
    path: '/',
    act: async (page) => {
      await page.addInitScript(LISTENING);
      await page.reload();
      await page.locator('.voice').click();
    },
  },
  { name: 'results', path: '/search?q=gyre' },
  { name: 'sitelinks', path: '/search?q=salt+atlas' },
  {
    name: 'a new rule',
    path: '/search?q=salinity',
    act: async (page) => {
      await page.locator('.menu summary').first().click();
      await page.locator('.menu[open]').getByRole('button', { name: 'lower' }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  },
  { name: 'a further page', path: '/search?q=gyre&page=2&tab=documents' },
  { name: 'news', path: '/search?q=gyre&tab=news' },
  { name: 'products', path: '/search?q=gyre&tab=products' },
  { name: 'pictures', path: '/search?q=sheets&tab=images' },
  { name: 'a passage', path: '/search?q=how+salinity' },
  { name: 'hidden results', path: '/search?q=undertow' },
  {
    name: 'an open menu',
    path: '/search?q=gyre',
    act: (page) => page.locator('.menu summary').nth(1).click(),
  },
  {
    name: 'suggestions over results',
    path: '/search?q=b',
    act: async (page) => {
      await page.getByRole('combobox').press('End');
      await page.keyboard.type('e');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'open filters',
    path: '/search?q=gyre&lang=de',
    act: (page) => page.locator('.filter summary').nth(2).click(),
  },
  { name: 'notes and a cut answer', path: '/search?q=gyre+note:+partial' },
  { name: 'another spelling', path: '/search?q=kuroshoi' },
  { name: 'nothing found', path: '/search?q=%22nothing+here%22&site=a.example' },
  { name: 'after the last page', path: '/search?q=gyre&page=90' },
  { name: 'hostile results', path: '/search?q=hostile' },
  { name: 'foreign results', path: `/search?q=${encodeURIComponent('دوامة')}` },
  { name: 'why', path: `/why?q=kuroshio&url=${encodeURIComponent(KUROSHIO)}` },
  { name: 'help', path: '/help' },
  {
    name: 'shortcuts',
    path: '/search?q=gyre',
    act: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'preferences', path: '/preferences' },
  {
    name: 'preferences with rules',
    path: '/preferences?saved=rules',
    act: async (page) => {
      await page.getByLabel('Add a site', { exact: true }).fill('spam.example');
      await page.getByRole('button', { name: 'Save' }).nth(1).click();
      await page.getByRole('row', { name: /spam\.example/ }).waitFor();
    },
  },
  {
    name: 'a copy',
    path: `/cached?url=${encodeURIComponent(KUROSHIO)}&q=plankton`,
    act: (page) => page.locator('.copies summary').click(),
  },
  {
    name: 'what changed',
    path: `/cached/compare?url=${encodeURIComponent(KUROSHIO)}&from=20230601120000&to=20250601120000`,
  },
  { name: 'no copy', path: `/cached?url=${encodeURIComponent(UNSHOWN)}`, fails: true },
  { name: 'about the crawler', path: '/bot' },
  { name: 'a wrong address', path: '/nowhere', fails: true },
  { name: 'a bad request', path: '/search?q=a&page=x', fails: true },
  {
    name: 'too many rules',
    path: '/preferences',
    act: async (page) => {
      const text = Array.from({ length: 500 }, (_, at) => `block site-number-${at}.example\n`).join('');
      const file = { name: 'rules.txt', mimeType: 'text/plain', buffer: Buffer.from(text) };
      await page.getByLabel('Import rules from a file').setInputFiles(file);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
      await page.getByText('500 rules do not').waitFor();
    },
    fails: true,
  },
];

const WIDE = { width: 1280, height: 720 };
const NARROW = { width: 320, height: 640 };

for (const { name, path, act, fails } of STATES) {
  test(`axe finds no problem, wide or narrow: ${name}`, async () => {
    const errors = fails ? { expectedErrors: /^Failed to load resource/ } : {};
    const common = { ...errors, bypassCSP: true };
    const look = async (page: Page) => {
      await act?.(page);
      await checkAccessibility(page);
      if (act) await checkAccessibility(page, NARROW);
    };
    await visit(path, look, { ...common, colorScheme: 'light', viewport: WIDE });
    // States that need several steps are checked once. All other states are also checked in dark mode and right to
    // left.
    const other = { colorScheme: 'dark', locale: 'ar', viewport: NARROW } as const;
    if (!act) await visit(path, (page) => checkAccessibility(page), { ...common, ...other });
  });
}

test('the Tab key reaches every control of a results page in reading order', async () => {
  await visit('/search?q=gyre', async (page) => {
    const reached: string[] = [];
    const label = `(() => { const e = document.activeElement; return e === document.body ? '' : (e.getAttribute('aria-label') ?? e.textContent).trim() })()`;
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const name = String(await page.evaluate(label));
      if (name === '') break;
      reached.push(name);
    }
    const order = [
      'Skip to the content',
      'Gyre, start page',
      'Search',
      'All',
      'Time',
      'Newest first',
      'The Agulhas Current',
      'More about this result',
      'Page 2',
      'Next',
      'Preferences',
      'About the crawler',
    ];
    let at = -1;
    for (const name of order) {
      const next = reached.findIndex((each, i) => i > at && each.startsWith(name));
      assert.ok(next > at, `${name} after ${reached[at]}: ${reached.join(', ')}`);
      at = next;
    }
  });
});

test('a menu opens by keyboard, closes on Escape, and returns the focus', async () => {
  await visit('/search?q=gyre', async (page) => {
    const summary = page.locator('.menu summary').first();
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Cached copy' }).first().waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Cached copy');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.menu[open]').count(), 0);
    const isBack = `document.activeElement === document.querySelector('.menu summary')`;
    assert.equal(await page.evaluate(isBack), true);
  });
});

test('j and k walk the results, and Enter follows the one that has the focus', async () => {
  await visit('/search?q=current', async (page) => {
    const title = () => page.evaluate('document.activeElement.textContent');
    await page.keyboard.press('j');
    const first = await title();
    await page.keyboard.press('j');
    assert.notEqual(await title(), first);
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    assert.equal(await title(), first);
    await page.locator('input[type=search]').focus();
    await page.keyboard.press('End');
    await page.keyboard.type('jk');
    assert.equal(await page.locator('input[type=search]').inputValue(), 'currentjk');
  });
});

test('a menu closes when it loses the focus', async () => {
  await visit('/search?q=gyre', async (page) => {
    for (const summary of ['.filters summary', '.menu summary']) {
      await page.locator(summary).first().press('Enter');
      assert.equal(await page.locator('details[open]').count(), 1);
      const isInside = "document.activeElement.closest('details[open]') !== null";
      for (let presses = 0; presses < 12 && (await page.evaluate(isInside)); presses++)
        await page.keyboard.press('Tab');
      assert.equal(await page.locator('details[open]').count(), 0, summary);
    }
  });
});

test('keyboard shortcuts can be turned off', async () => {
  await visit('/preferences', async (page) => {
    await page.getByLabel('Keyboard shortcuts').uncheck();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Keyboard shortcuts').isChecked(), false);
    await page.goto('/search?q=gyre');
    for (const key of ['j', '/']) {
      await page.keyboard.press(key);
      assert.equal(await page.evaluate('document.activeElement === document.body'), true, key);
    }
  });
});

test('with reduced motion nothing moves, and text can be doubled in size', async () => {
  await visit(
    '/search?q=gyre',
    async (page) => {
      const duration = `Math.max(...Array.from(document.querySelectorAll('*'), (element) =>
        Number.parseFloat(getComputedStyle(element).transitionDuration)))`;
      assert.equal(await page.evaluate(duration), 0);
      await page.setViewportSize({ width: 640, height: 800 });
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 640);
    },
    { reducedMotion: 'reduce', bypassCSP: true },
  );
});
