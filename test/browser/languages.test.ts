/** Tests the pages in all UI languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();

test('pages are in the language of the browser', async () => {
  for (const [locale, title, count] of [
    ['en-GB', 'Search', /^33 results in/],
    ['de-AT', 'Suche', /^33 Ergebnisse in/],
    ['fr', 'Recherche', /^33 résultats en/],
    ['ar', 'بحث', /نتيجة/],
    ['ja', 'Search', /^33 results in/],
  ] as const) {
    await visit(
      '/search?q=gyre',
      async (page) => {
        await page.getByRole('combobox', { name: title, exact: true }).waitFor();
        assert.match(String(await page.locator('.summary').textContent()), count);
      },
      { locale },
    );
  }
});

test('in Arabic the page runs from right to left, and URLs from left to right', async () => {
  await visit(
    '/search?q=gyre',
    async (page) => {
      const directionOf = (selector: string) =>
        page.evaluate(`getComputedStyle(document.querySelector('${selector}')).direction`);
      assert.equal(await directionOf('html'), 'rtl');
      assert.equal(await directionOf('.crumbs'), 'ltr');
      assert.equal(await directionOf('.result h2'), 'ltr');
      const [brand, box] = await Promise.all([
        page.locator('.bar .brand').boundingBox(),
        page.locator('.search').boundingBox(),
      ]);
      assert.ok(brand!.x > box!.x, 'the name stands on the right');
    },
    { locale: 'ar' },
  );
});
