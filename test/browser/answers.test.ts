/**
 * Tests how answers are loaded: computed answers are in the page; other answers are loaded after the results,
 * and shown only if there are any.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type AnswerBox, Answerer, calculator } from '../../src/answer/mod.ts';
import { silentLog, systemClock } from '../../src/base/mod.ts';
import { checkAccessibility } from './axe.ts';
import { SAMPLE_ANSWERS } from './sample-answers.ts';
import { prepareVisits } from './visit.ts';

const asked = Promise.withResolvers<void>();
const released = Promise.withResolvers<Answer>();
const slow: AnswerBox = {
  name: 'slow',
  cacheMs: 60_000,
  matches: (query) => query.startsWith('kuroshio'),
  answer() {
    asked.resolve();
    return released.promise;
  },
};
const boxes = [calculator, slow];
const answerer = new Answerer({ boxes, clock: systemClock, log: silentLog, budgetMs: 60_000 });
const visit = prepareVisits({ answerer });

test('results do not wait for an answer, which is shown when it arrives', async () => {
  await visit('/search?q=kuroshio', async (page) => {
    assert.equal(await page.locator('.result').count(), 4);
    assert.equal(await page.locator('.answers').isVisible(), false);
    await asked.promise;
    released.resolve(SAMPLE_ANSWERS.knowledge);
    await page.locator('.answer h2', { hasText: SAMPLE_ANSWERS.knowledge.title }).waitFor();
  });
});

test('without an answer nothing is shown, and later pages do not request one', async () => {
  await visit('/search?q=gyre', async (page) => {
    assert.equal(await page.locator('.answers').count(), 0);
    await page.goto('/search?q=kuroshio&page=2');
    assert.equal(await page.locator('.answers').count(), 0);
  });
});

test('without scripts a sum is computed, and other answers have a link', async () => {
  const options = { javaScriptEnabled: false, bypassCSP: true };
  await visit(
    '/search?q=6*7',
    async (page) => {
      assert.equal(await page.getByRole('heading', { name: '42' }).isVisible(), true);
      await page.goto('/search?q=kuroshio');
      await page.getByRole('link', { name: 'Look for short answers' }).click();
      await page.locator('.answer h2', { hasText: SAMPLE_ANSWERS.knowledge.title }).waitFor();
      await page.getByRole('link', { name: 'To the results' }).click();
      assert.equal(await page.locator('.result').count(), 4);
    },
    options,
  );
});

test('the page of answers is accessible', async () => {
  await visit('/answers?q=kuroshio', (page) => checkAccessibility(page), { bypassCSP: true });
  await visit('/answers?q=gyre', (page) => checkAccessibility(page), { bypassCSP: true });
});
