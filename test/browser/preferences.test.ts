/**
 * Tests preferences and site rules, with and without scripts: they are stored in a cookie and applied on all
 * pages.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();

async function chooseRule(page: Page, host: string, effect: string): Promise<void> {
  const result = page.locator('.result', { has: page.locator('.host', { hasText: host }) }).first();
  await result.locator('summary').click();
  await result.getByRole('button', { name: effect, exact: true }).click();
}

const hosts = async (page: Page) => new Set(await page.locator('.result .host').allInnerTexts());

for (const javaScriptEnabled of [true, false]) {
  test(`a site is blocked and unblocked from a result's menu, with scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    await visit(
      '/search?q=gyre&page=2',
      async (page) => {
        await chooseRule(page, 'salt.example', 'never');
        await page.waitForURL('**/search?q=gyre&page=2&ruled=block.normal.salt.example');
        assert.match(
          String(await page.locator('.summary').textContent()),
          /25 results.*with your site rules/,
        );
        assert.deepEqual(await hosts(page), new Set(['www.ocean-atlas.example']));
        await page.getByRole('link', { name: 'with your site rules' }).click();
        await page
          .getByRole('row', { name: /salt\.example/ })
          .getByRole('combobox')
          .selectOption('remove the rule');
        await page.getByRole('button', { name: 'Save' }).nth(1).click();
        await page.getByText('There are no rules yet').waitFor();
        await page.goto('/search?q=gyre');
        assert.match(String(await page.locator('.summary').textContent()), /^33 results/);
      },
      { javaScriptEnabled },
    );
  });
}

test('a pinned site comes first, and its menu shows the rule', async () => {
  await visit('/search?q=gyre', async (page) => {
    await chooseRule(page, 'salt.example', 'first');
    await page.waitForLoadState();
    assert.deepEqual(
      (await page.locator('.result .host').allInnerTexts()).slice(0, 8),
      Array(8).fill('salt.example'),
    );
    await page.locator('.menu summary').first().click();
    assert.equal(await page.getByRole('button', { name: 'first', pressed: true }).count(), 1);
    await page.getByRole('button', { name: 'as usual' }).first().click();
    await page.waitForLoadState();
    assert.equal(await page.getByRole('link', { name: 'with your site rules' }).count(), 0);
  });
});

test('rules can be typed, exported and imported', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-rules-'));
  t.after(() => rmSync(directory, { recursive: true }));
  await visit('/preferences', async (page) => {
    await page.getByLabel('Add a site', { exact: true }).fill('HTTPS://Spam.example/x');
    await page.getByRole('button', { name: 'Save' }).nth(1).click();
    await page.getByRole('row', { name: /spam\.example/ }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export your rules to a file' }).click();
    const file = join(directory, 'rules.txt');
    await (await download).saveAs(file);
    assert.match(readFileSync(file, 'utf8'), /^#.*\nblock spam\.example\n$/);
    writeFileSync(file, `${readFileSync(file, 'utf8')}pin salt.example\n`);
    await page.getByLabel('Import rules from a file').setInputFiles(file);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('row', { name: /salt\.example/ }).waitFor();
    await page.getByRole('row', { name: /spam\.example/ }).waitFor();
  });
});

test('an invalid rules file is refused with the wrong line, and nothing changes', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-rules-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'rules.txt');
  writeFileSync(file, 'block a.example\n<script>globalThis.hacked = 1</script>\n');
  const look = async (page: Page) => {
    await page.getByLabel('Import rules from a file').setInputFiles(file);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Invalid rules' }).waitFor();
    await page.getByText('Line 2 is').waitFor();
    assert.equal(await page.evaluate('globalThis.hacked'), undefined);
    await page.goto('/preferences');
    await page.getByText('There are no rules yet').waitFor();
  };
  await visit('/preferences', look, { expectedErrors: /^Failed to load resource/ });
});

test('language, colours and the number of results are kept', async () => {
  await visit('/preferences', async (page) => {
    await page.getByLabel('Language of these pages').selectOption('Deutsch');
    await page.getByLabel('Dark').check();
    await page.getByLabel('Results per page').selectOption('20');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Gespeichert.', { exact: true }).waitFor();
    await page.goto('/search?q=gyre');
    assert.equal(await page.locator('.result').count(), 20);
    assert.match(String(await page.locator('.summary').textContent()), /^33 Ergebnisse/);
    assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
    assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark');
    await page.getByRole('link', { name: 'Weiter' }).click();
    await page.waitForURL('**page=2');
    assert.equal(await page.locator('.result').count(), 13);
  });
});

test('the family filter says how many results it hides, and can be switched off', async () => {
  const look = async (page: Page) => {
    await page.getByText('The family filter hides 1 result.').waitFor();
    assert.deepEqual(await hosts(page), new Set(['water.example']));
    await page.locator('.note').getByRole('link', { name: 'Preferences' }).click();
    const levels = page.getByLabel('Family filter');
    assert.equal(
      await levels.locator('option').first().textContent(),
      'As this search engine sets it: moderate',
    );
    await levels.selectOption('off');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.goto('/search?q=undertow');
    assert.deepEqual(await hosts(page), new Set(['adults.example', 'water.example']));
    assert.equal(await page.locator('.note').count(), 0);
  };
  await visit('/search?q=undertow', look, { javaScriptEnabled: false });
});

test('rules of the operator are listed and can be overridden', async () => {
  await visit('/preferences', async (page) => {
    await page.getByRole('heading', { name: 'Rules of this search engine' }).waitFor();
    await page.getByText('he.example: lower').waitFor();
  });
});
