/** Tests tabs, filters and spelling corrections, by which a searcher refines a query. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { SmallSearcher } from './small-searcher.ts';
import { prepareVisits } from './visit.ts';

const searcher = new SmallSearcher();
const visit = prepareVisits({ searcher });

test('tabs narrow to a kind of result and keep the query', async () => {
  await visit('/search?q=gyre', async (page) => {
    const tabs = page.getByRole('navigation', { name: 'Kinds of results' });
    assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), [
      'All',
      'Images',
      'News',
      'Documents',
      'Products',
    ]);
    await tabs.getByRole('link', { name: 'Documents' }).click();
    await page.waitForURL('**/search?q=gyre&tab=documents');
    assert.equal(searcher.asked.at(-1), 'filetype:document gyre');
    assert.deepEqual(await tabs.getByRole('link').allInnerTexts(), [
      'All',
      'Images',
      'News',
      'Documents',
      'Products',
    ]);
    assert.equal(await tabs.locator('[aria-current=page]').textContent(), 'Documents');
    assert.equal(await page.locator('input[type=search]').inputValue(), 'gyre');
    await tabs.getByRole('link', { name: 'All' }).click();
    await page.waitForURL('**/search?q=gyre');
  });
  await visit('/search?q=hostile', async (page) => {
    const tabs = page.getByRole('navigation', { name: 'Kinds of results' });
    assert.equal(await tabs.getByRole('link').count(), 5, 'the row is the same for every query');
  });
});

for (const javaScriptEnabled of [true, false]) {
  test(`the Images tab lists texts about pictures and loads none, with scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    await visit(
      '/search?q=sheets',
      async (page) => {
        const tabs = page.getByRole('navigation', { name: 'Kinds of results' });
        await tabs.getByRole('link', { name: 'Images' }).click();
        await page.waitForURL('**/search?q=sheets&tab=images');
        assert.equal(searcher.asked.at(-1), 'filetype:image sheets');
        await page.getByText('1 picture', { exact: true }).waitFor();
        const card = page.locator('.image');
        assert.equal(await card.locator('h2 a').getAttribute('href'), 'https://salt.example/maps/');
        const file = card.getByRole('link', { name: 'Open the picture: Map of the sheets' });
        assert.equal(await file.getAttribute('href'), 'https://salt.example/maps/sheet.png');
        assert.equal(await page.locator('.image img').count(), 0, 'nothing is loaded from other sites');
        await page.goto('/search?q=current&tab=images');
        await page.getByText('Pictures are found by the texts about them.').waitFor();
      },
      { javaScriptEnabled },
    );
  });
}

test('a question is answered above the results, with the passage and its source', async () => {
  const look = async (page: Page) => {
    const answer = page.getByRole('region', { name: 'Answer from a page' });
    assert.match(
      String(await answer.locator('.text').textContent()),
      /^Lower a bottle .* <b>after<\/b> drying\.$/,
    );
    assert.deepEqual(await answer.locator('mark').allInnerTexts(), ['bottle']);
    assert.equal(await answer.locator('code').textContent(), 'bottle --wire 100 \\\n  --close');
    const link = answer.getByRole('link', { name: 'Methods — Salt Atlas' });
    assert.match(
      String(await link.getAttribute('href')),
      /^https:\/\/salt\.example\/methods\.html#:~:text=Lower%20a%20bottle%20on/,
    );
    const [box, list] = [await answer.boundingBox(), await page.locator('.summary, .notice').boundingBox()];
    assert.ok(box!.y < list!.y, 'above the results');
  };
  await visit('/search?q=how+salinity', look, { javaScriptEnabled: false });
  await visit('/search?q=how+salinity', look, { viewport: { width: 390, height: 800 } });
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
  test(`filters have counts and can be removed one by one, with scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    await visit(
      '/search?q=current',
      async (page) => {
        const filters = page.getByRole('group', { name: 'Filters' });
        const open = (name: string) => filters.getByText(name, { exact: true }).click();
        await open('Site');
        await filters.getByText('Counted among the best 30 results.').nth(2).waitFor();
        await filters.getByRole('link', { name: 'salt.example 8' }).click();
        await page.waitForURL('**/search?q=current&site=salt.example');
        assert.equal(await page.locator('.result').count(), 8);
        await open('Time');
        await filters.getByRole('link', { name: 'Past year 0' }).click();
        await page.waitForURL('**period=year');
        await open('Format');
        await filters.getByRole('link', { name: 'Web page 8' }).click();
        await page.waitForURL('**type=html');
        assert.match(
          searcher.asked.at(-1)!,
          /^site:salt\.example after:\d{4}-\d\d-\d\d filetype:html current$/,
        );
        const chips = page.getByRole('list', { name: 'Active filters' });
        assert.deepEqual(await chips.locator('.chip').allInnerTexts(), [
          'Past year ×',
          'salt.example ×',
          'Web page ×',
        ]);
        await chips.getByRole('link', { name: 'Remove the filter salt.example' }).click();
        await page.waitForURL('**/search?q=current&period=year&type=html');
        await chips.getByRole('link', { name: 'Clear all' }).click();
        await page.waitForURL('**/search?q=current');
        assert.equal(searcher.asked.at(-1), 'current');
      },
      { javaScriptEnabled },
    );
  });
}

test('a site that is not in the list can be typed, and the other filters stay', async () => {
  await visit('/search?q=current&lang=en&sort=date', async (page) => {
    await page.getByText('Site', { exact: true }).click();
    await page.getByLabel('Another site').fill('https://salt.example/anything');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/lang=en&sort=date&site=/);
    assert.equal(searcher.asked.at(-1), 'site:salt.example lang:en +current');
  });
});

test('the list can be sorted by date, and back', async () => {
  await visit('/search?q=current', async (page) => {
    await page.getByRole('link', { name: 'Newest first', exact: true }).click();
    await page.waitForURL('**/search?q=current&sort=date');
    await page.getByRole('link', { name: 'Remove the filter Newest first' }).click();
    await page.waitForURL('**/search?q=current');
  });
});

test('the cog leads to the preferences', async () => {
  for (const path of ['/', '/search?q=current'])
    await visit(path, async (page) => {
      await page.getByRole('link', { name: 'Preferences' }).first().click();
      await page.waitForURL('**/preferences');
    });
});

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
    await page.getByRole('row', { name: 'Query words together in a passage 2' }).waitFor();
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

test('below a home page that the query names are its most linked pages', async () => {
  await visit('/search?q=salt+atlas', async (page) => {
    const links = page.locator('.result').first().locator('.sitelinks a');
    assert.equal(await page.locator('.sitelinks').count(), 1);
    assert.deepEqual(await links.allTextContents(), ['Maps', 'Methods']);
  });
  await visit('/search?q=salt', async (page) => {
    assert.equal(await page.locator('.sitelinks').count(), 1, 'the host has this name');
  });
  await visit('/search?q=salt+maps', async (page) => {
    assert.equal(await page.locator('.sitelinks').count(), 0);
  });
});

test('related searches continue the query or begin with one of its words', async () => {
  await visit('/search?q=kuroshio', async (page) => {
    await page.getByRole('navigation', { name: 'Related searches' }).getByRole('link').first().click();
    await page.waitForURL('**/search?q=kuroshio%20current');
  });
});

for (const javaScriptEnabled of [true, false]) {
  test(`a rule for a site can be undone at once, with scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    await visit(
      '/search?q=salinity',
      async (page) => {
        await page.getByLabel('More about this result from salt.example').first().click();
        await page.locator('.menu[open]').getByRole('button', { name: 'never' }).click();
        await page.getByText('Rule saved for salt.example: never.').waitFor();
        assert.equal(await page.locator('.result').count(), 0);
        await page.getByRole('button', { name: 'Undo' }).click();
        await page.waitForURL('**/search?q=salinity');
        assert.equal(await page.locator('.result').count(), 8);
      },
      { javaScriptEnabled },
    );
  });
}

test('a bang leads to another search engine, and a search without results offers it', async () => {
  await visit('/search?q=nothing+at+all', async (page) => {
    const link = page.getByRole('link', { name: 'Here', exact: true });
    assert.equal(await link.getAttribute('href'), '/preferences?saved=nothing%20at%20all');
  });
  await visit('/', async (page) => {
    await page.locator('input[type=search]').fill('!self tide & moon');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/preferences?saved=tide%20%26%20moon');
  });
});
