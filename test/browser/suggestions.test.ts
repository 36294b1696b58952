/**
 * Tests the search box with suggestions (a combobox): the behaviour of the list, and that the focus stays in
 * the box.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();

async function type(page: Page, text: string): Promise<void> {
  await page.locator('input[type=search]').focus();
  await page.keyboard.type(text);
  await page.getByRole('option').first().waitFor();
}

const focused = (page: Page) => page.evaluate('document.activeElement.name');

test('suggestions appear while typing, and arrow keys choose one without moving the focus', async () => {
  await visit('/', async (page) => {
    const box = page.getByRole('combobox', { name: 'Search' });
    assert.equal(await box.getAttribute('aria-expanded'), 'false');
    await type(page, 'b');
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    assert.deepEqual(await page.getByRole('option').allInnerTexts(), ['benguela current', 'brazil current']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.equal(await box.inputValue(), 'brazil current');
    assert.equal(await box.getAttribute('aria-activedescendant'), 'suggestion-1');
    assert.equal(await page.locator('#suggestion-1').getAttribute('aria-selected'), 'true');
    await page.keyboard.press('ArrowDown');
    assert.equal(await box.inputValue(), 'b');
    assert.equal(await box.getAttribute('aria-activedescendant'), null);
    await page.keyboard.press('ArrowUp');
    assert.equal(await box.inputValue(), 'brazil current');
    assert.equal(await focused(page), 'q');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=brazil+current');
  });
});

test('Escape restores the typed text and keeps the focus', async () => {
  await visit('/', async (page) => {
    await type(page, 'per');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('input[type=search]').inputValue(), 'per');
    assert.equal(await page.getByRole('listbox').count(), 0);
    assert.equal(await focused(page), 'q');
  });
});

test('the arrow keys reopen the list that Escape closed, without a selection', async () => {
  await visit('/', async (page) => {
    await type(page, 'per');
    await page.keyboard.press('Escape');
    for (const key of ['ArrowDown', 'ArrowUp']) {
      await page.keyboard.press(key);
      await page.getByRole('option', { name: 'peru current' }).waitFor();
      assert.equal(await page.locator('input[type=search]').inputValue(), 'per');
      await page.keyboard.press('Escape');
      assert.equal(await page.getByRole('listbox').count(), 0);
    }
  });
});

test('a click on a suggestion searches for it', async () => {
  await visit('/', async (page) => {
    await type(page, 'kuro');
    await page.getByRole('option', { name: 'kuroshio current' }).click();
    await page.waitForURL('**/search?q=kuroshio+current');
  });
});

test('a suggestion with a page opens the page, by a click and by the keyboard', async () => {
  await visit('/', async (page) => {
    const url = new URL('/help', page.url()).href;
    const suggestions = [
      { text: 'drift', url: undefined },
      { text: 'drifters at sea', url },
    ];
    await page.route('**/suggest?*', (route) => route.fulfill({ json: { suggestions } }));
    await type(page, 'dr');
    await page.getByRole('option', { name: 'drifters at sea' }).click();
    await page.waitForURL(url);
    await page.goBack();
    await page.locator('input[type=search]').fill('');
    await type(page, 'dr');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(url);
  });
});

test('a suggestion that is edited is searched for', async () => {
  await visit('/', async (page) => {
    const url = new URL('/help', page.url()).href;
    const suggestions = [{ text: 'drifters at sea', url }];
    await page.route('**/suggest?*', (route) => route.fulfill({ json: { suggestions } }));
    await type(page, 'dr');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('s');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=drifters+at+seas');
  });
});

test('suggestions appear when each letter is typed before the response to the one before it', async () => {
  await visit('/', async (page) => {
    const asked: string[] = [];
    let respond = () => {};
    const typed = new Promise<void>((resolve) => (respond = resolve));
    await page.route('**/suggest?*', async (route) => {
      const q = new URL(route.request().url()).searchParams.get('q')!;
      asked.push(q);
      if (q === 'drift') respond();
      await typed;
      // The requests for shorter texts are cancelled by then.
      await route.fulfill({ json: { suggestions: [{ text: `${q}ers` }] } }).catch(() => {});
    });
    await page.locator('input[type=search]').focus();
    for (const letter of 'drift') {
      const request = page.waitForRequest('**/suggest?*');
      await page.keyboard.type(letter);
      await request;
    }
    await page.getByRole('option', { name: 'drifters' }).waitFor();
    assert.deepEqual(asked, ['d', 'dr', 'dri', 'drif', 'drift']);
  });
});

test('a response that arrives after a suggestion was selected does not change the list', async () => {
  await visit('/', async (page) => {
    let respond = () => {};
    const selected = new Promise<void>((resolve) => (respond = resolve));
    let isLate = false;
    await page.route('**/suggest?*', async (route) => {
      if (isLate) await selected;
      await route
        .fulfill({ json: { suggestions: [{ text: 'driers' }, { text: 'drones' }] } })
        .catch(() => {});
    });
    await type(page, 'd');
    isLate = true;
    const request = page.waitForRequest('**/suggest?*');
    await page.keyboard.type('r');
    await request;
    const cancelled = page.waitForEvent('requestfailed');
    await page.keyboard.press('ArrowDown');
    await cancelled;
    respond();
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('input[type=search]').inputValue(), 'drones');
  });
});

test('leaving the box closes the list, and a late response does not reopen it', async () => {
  await visit('/', async (page) => {
    await type(page, 'lab');
    await page.keyboard.type('r');
    await page.keyboard.press('Tab');
    await page.waitForTimeout(300);
    assert.equal(await page.getByRole('listbox').count(), 0);
    assert.notEqual(await focused(page), 'q');
  });
});

test('hostile suggestions are text', async () => {
  await visit('/', async (page) => {
    await type(page, 'hostile');
    assert.equal(await page.locator('.suggestions img').count(), 0);
    await page.keyboard.press('ArrowDown');
    assert.equal(
      await page.locator('input[type=search]').inputValue(),
      'hostile <img src=x onerror=globalThis.hacked=1>',
    );
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
  });
});

test('when suggestions fail, searching continues', async () => {
  const look = async (page: Page) => {
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('fail');
    await page.waitForTimeout(300);
    assert.equal(await page.getByRole('listbox').count(), 0);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=fail');
  };
  await visit('/', look, { expectedErrors: /^Failed to load resource/ });
});

test('with suggestions turned off the search box is plain', async () => {
  await visit('/preferences', async (page) => {
    await page.getByLabel('Suggestions while typing').uncheck();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await page.goto('/');
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('b');
    await page.waitForTimeout(300);
    assert.equal(await page.getByRole('combobox').count(), 0);
    assert.equal(await page.getByRole('searchbox').inputValue(), 'b');
  });
});
