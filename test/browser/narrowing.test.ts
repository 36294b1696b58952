/** Tabs, filters and spelling corrections: how a searcher refines a query. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SmallSearcher } from './small-searcher.ts';
import { prepareVisits } from './visit.ts';

const searcher = new SmallSearcher();
const visit = prepareVisits({ searcher });

test('tabs narrow to a kind of result and keep the query', async () => {
  await visit('/search?q=gyre', async (page) => {
    const tabs = page.getByRole('navigation', { name: 'Kinds of results' });
    assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), ['All', 'News', 'Documents', 'Products']);
    await tabs.getByRole('link', { name: 'Documents' }).click();
    await page.waitForURL('**/search?q=gyre&tab=documents');
    assert.deepEqual(searcher.asked.slice(-2).sort(), ['filetype:pdf gyre', 'gyre']);
    assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), ['All', 'News', 'Documents', 'Products']);
    assert.equal(await tabs.locator('[aria-current=page]').textContent(), 'Documents');
    assert.equal(await page.locator('input[type=search]').inputValue(), 'gyre');
    await tabs.getByRole('link', { name: 'All' }).click();
    await page.waitForURL('**/search?q=gyre');
  });
  await visit('/search?q=hostile', async (page) => {
    assert.equal(await page.getByRole('navigation', { name: 'Kinds of results' }).count(), 0);
  });
});

test('news have their publisher, and products price, shop and availability, in the language of the page', async () => {
  const options = { javaScriptEnabled: false, locale: 'fr' };
  const look = async (path: string, selector: string, shown: RegExp) =>
    visit(
      path,
      async (page) => assert.match(String(await page.locator(selector).first().textContent()), shown),
      options,
    );
  await look('/search?q=gyre&tab=news', '.about', /^The Ocean Post · 1 juin 2025/);
  await look('/search?q=gyre&tab=products', '.offer', /^1\s234,50\s€ · The Ocean Post · En stock$/);
});

for (const javaScriptEnabled of [true, false]) {
  test(`filters narrow the list and can be cleared, with scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    await visit(
      '/search?q=current',
      async (page) => {
        await page.getByText('Filters', { exact: true }).click();
        await page.getByLabel('Site', { exact: true }).fill('https://salt.example/anything');
        await page.locator('select[name=lang]').selectOption({ label: 'German' });
        await page.locator('select[name=period]').selectOption({ label: 'Past year' });
        await page.locator('select[name=type]').selectOption({ label: 'Web page' });
        await page.getByRole('button', { name: 'Apply' }).click();
        await page.waitForURL('**period=year**');
        assert.match(
          searcher.asked.at(-1)!,
          /^site:salt\.example lang:de after:\d{4}-\d\d-\d\d filetype:html current$/,
        );
        assert.equal(await page.locator('.result').count(), 8);
        await page.getByText('4 filters', { exact: true }).click();
        assert.equal(await page.getByLabel('Site', { exact: true }).inputValue(), 'salt.example');
        await page.getByRole('link', { name: 'Clear' }).click();
        await page.waitForURL('**/search?q=current');
        assert.equal(searcher.asked.at(-1), 'current');
      },
      { javaScriptEnabled },
    );
  });
}

test('the menu of a result links to more from its site', async () => {
  await visit('/search?q=salinity', async (page) => {
    await page.getByLabel('More about this result from salt.example').first().click();
    await page.getByRole('link', { name: 'More from this site' }).first().click();
    await page.waitForURL('**/search?q=salinity&site=salt.example');
    assert.equal(searcher.asked.at(-1), 'site:salt.example salinity');
  });
});

test('a correction is offered, or applied with a link to the original query', async () => {
  await visit('/search?q=kuroshoi', async (page) => {
    await page.getByText('Did you mean').getByRole('link', { name: 'kuroshio' }).click();
    await page.waitForURL('**/search?q=kuroshio');
  });
  await visit('/search?q=gyre+gyer', async (page) => {
    await page.getByText('Showing results for gyre').waitFor();
    await page.getByRole('link', { name: 'gyre gyer' }).click();
    await page.waitForURL('**/search?q=gyre%20gyer&spelling=off');
  });
});

test('without results, a link removes the filters', async () => {
  await visit('/search?q=gyre&site=nowhere.example&tab=news', async (page) => {
    await page.getByRole('link', { name: 'Search without filters' }).click();
    await page.waitForURL('**/search?q=gyre');
    assert.ok((await page.locator('.result').count()) > 0);
  });
});

test('the explanation of a result has each part of its score', async () => {
  await visit('/search?q=kuroshio', async (page) => {
    await page.locator('.menu summary').first().click();
    await page.getByRole('link', { name: 'Why this result?' }).first().click();
    await page.getByRole('heading', { name: 'Why this result?' }).waitFor();
    await page.getByRole('row', { name: 'Query words close together 2' }).waitFor();
    await page.getByRole('row', { name: 'kuroshio 2.5 4 3.25' }).waitFor();
    await page.getByRole('link', { name: 'Back to the results' }).click();
    await page.waitForURL('**/search?q=kuroshio');
  });
});

test('an invalid filter gets an error page with the valid values', async () => {
  for (const bad of ['site=a%20b', 'lang=german!', 'period=ever', 'type=exe', 'tab=pictures']) {
    await visit(
      `/search?q=gyre&${bad}`,
      async (page) => {
        await page.getByRole('heading', { name: 'Invalid parameter' }).waitFor();
        await page.getByText(/must be/).waitFor();
      },
      { expectedErrors: /^Failed to load resource/ },
    );
  }
});
