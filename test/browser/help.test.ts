/** Tests the help page, and the list of shortcuts that every page can show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();

test('the help page explains the query language, in the language of the searcher', async () => {
  await visit('/', async (page) => {
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    await page.waitForURL('**/help');
    await page.getByRole('row', { name: 'site:example.org On this site; a path may follow' }).waitFor();
  });
  await visit(
    '/help',
    async (page) => {
      await page.getByRole('heading', { name: 'So suchen Sie' }).waitFor();
    },
    { locale: 'de', javaScriptEnabled: false },
  );
});

test('the question mark shows the shortcuts, Escape closes them, and in the search box it is a character', async () => {
  await visit('/search?q=gyre', async (page) => {
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.keyboard.press('?');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('input[type=search]').press('End');
    await page.keyboard.type('?');
    assert.equal(await page.locator('input[type=search]').inputValue(), 'gyre?');
    assert.equal(await dialog.count(), 0);
  });
});
