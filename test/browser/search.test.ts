/** Tests basic search: typing, reading and paging, with and without scripts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();

async function search(page: Page, query: string): Promise<void> {
  await page.locator('input[type=search]').fill(query);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
}

function titles(page: Page): Promise<string[]> {
  return page.locator('.result h2 a').allInnerTexts();
}

test('the start page is ready to type into, and Enter searches', async () => {
  await visit('/', async (page) => {
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('kuroshio plankton');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=kuroshio+plankton');
    assert.deepEqual(await titles(page), ['The Kuroshio Current: plankton and the wider gyre']);
    assert.equal(await page.locator('input[type=search]').inputValue(), 'kuroshio plankton');
    assert.equal(await page.title(), 'kuroshio plankton · Gyre');
  });
});

test('the words of the query are highlighted in the snippet', async () => {
  await visit('/search?q=kuroshio+plankton', async (page) => {
    assert.deepEqual(await page.locator('.snippet mark').allInnerTexts(), ['plankton', 'Kuroshio']);
    assert.equal(await page.locator('.summary').textContent(), '1 result in 1.3 ms');
  });
});

test('a result leads to the passage of its snippet', async () => {
  await visit('/search?q=kuroshio+plankton', async (page) => {
    const link = await page.locator('a.title').getAttribute('href');
    assert.ok(
      link?.endsWith('?year=2005#:~:text=How%20plankton%20of%20the%20Kuroshio%20Current%20is%20measured%2C'),
      link ?? '',
    );
  });
});

test('a page has ten results, with links to the next and previous page', async () => {
  await visit('/search?q=current', async (page) => {
    const first = await titles(page);
    assert.equal(first.length, 10);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**/search?q=current&page=2');
    const second = await titles(page);
    assert.equal(second.length, 10);
    assert.equal(new Set([...first, ...second]).size, 20);
    await page.getByRole('link', { name: 'Page 4' }).click();
    await page.waitForURL('**page=4');
    assert.equal((await titles(page)).length, 2);
    assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0);
    await page.getByRole('link', { name: 'Page 1' }).click();
    await page.waitForURL('**/search?q=current');
    assert.deepEqual(await titles(page), first);
  });
});

test('everything works with scripts off', async () => {
  const options = { javaScriptEnabled: false };
  await visit(
    '/',
    async (page) => {
      await search(page, 'current gyre');
      await page.waitForURL('**/search?q=current+gyre');
      assert.equal((await titles(page)).length, 10);
      assert.ok((await page.locator('mark').count()) > 0);
      await page.getByRole('link', { name: 'Next' }).click();
      await page.waitForURL('**page=2');
      await search(page, 'nothing like this');
      await page.getByText('Nothing was found').waitFor();
    },
    options,
  );
});

test('without results, a looser query is one click away', async () => {
  await visit(`/search?q=${encodeURIComponent('"gyre the ocean" site:a.example')}`, async (page) => {
    await page.getByRole('heading', { name: 'Nothing was found' }).waitFor();
    await page.getByRole('link', { name: 'gyre the ocean site:a.example' }).click();
    await page.waitForURL('**/search?q=gyre%20the%20ocean%20site%3Aa.example');
  });
});

test('the slash key focuses the search box, and can be typed inside it', async () => {
  await visit('/search?q=gyre', async (page) => {
    const box = page.locator('input[type=search]');
    assert.equal(await page.evaluate('document.activeElement.nodeName'), 'BODY');
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.name'), 'q');
    assert.equal(await box.inputValue(), 'gyre');
    await page.keyboard.type('and/or');
    assert.equal(await box.inputValue(), 'and/or');
  });
});

test('an empty search stays on the start page', async () => {
  await visit('/', async (page) => {
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search?q=');
    await page.getByRole('heading', { name: 'Gyre' }).waitFor();
  });
});

test('a wrong path and a too long query get an error page with links', async () => {
  for (const path of ['/no/such/page', `/search?q=${'long+'.repeat(2000)}`]) {
    await visit(
      path,
      async (page) => {
        await search(page, 'kuroshio');
        assert.equal((await titles(page)).length, 4);
      },
      { expectedErrors: /^Failed to load resource/ },
    );
  }
});

test('a page of results with all that it loads weighs less than 40 KB', async () => {
  await visit('/search?q=gyre', async (page) => {
    const sizes = `performance.getEntries().filter((entry) => /navigation|resource/.test(entry.entryType))
      .map((entry) => entry.encodedBodySize)`;
    const bytes = (await page.evaluate(sizes)) as number[];
    const total = bytes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes.length >= 3 && total > 5000 && total < 40_000, `${total} bytes in ${bytes.length} files`);
  });
});
