/** Tests search by voice, with a mock of the browser's speech recognition and without speech recognition. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { prepareVisits } from './visit.ts';

const visit = prepareVisits();

/**
 * A script that replaces speech recognition by a mock. `globalThis.listener` is the recognition that was
 * started last.
 */
const STAND_IN = `globalThis.SpeechRecognition = class extends EventTarget {
  start() { globalThis.listener = this; }
  stop() { this.dispatchEvent(new Event('end')); }
};
globalThis.hear = (transcript, isFinal) => {
  const result = Object.assign([{ transcript }], { isFinal });
  listener.dispatchEvent(Object.assign(new Event('result'), { results: [result] }));
  if (isFinal) listener.dispatchEvent(new Event('end'));
};
globalThis.fail = (error) => {
  listener.dispatchEvent(Object.assign(new Event('error'), { error }));
  listener.dispatchEvent(new Event('end'));
};`;
const NONE = 'delete globalThis.SpeechRecognition; delete globalThis.webkitSpeechRecognition;';

async function withVoice(path: string, script: string, look: (page: Page) => Promise<void>): Promise<void> {
  await visit('/', async (page) => {
    await page.addInitScript(script);
    await page.goto(path);
    await look(page);
  });
}

const button = (page: Page) => page.getByRole('button', { name: 'Search by voice' });

test('the voice button explains where the audio goes, shows interim words, and searches at the end', async () => {
  await withVoice('/', STAND_IN, async (page) => {
    assert.match(String(await button(page).getAttribute('title')), /may send the audio to its vendor/);
    await button(page).click();
    assert.equal(await button(page).getAttribute('aria-pressed'), 'true');
    assert.match(String(await page.getByRole('status').textContent()), /^Listening/);
    await page.evaluate(`hear('kuro', false)`);
    assert.equal(await page.locator('input[type=search]').inputValue(), 'kuro');
    await page.evaluate(`hear('kuroshio current', true)`);
    await page.waitForURL('**/search?q=kuroshio+current');
  });
});

test('voice search uses the language of the page', async () => {
  await withVoice('/', STAND_IN, async (page) => {
    await button(page).click();
    assert.equal(await page.evaluate('listener.lang'), 'en');
  });
});

test('voice errors show a message, and the search box is unchanged', async () => {
  await withVoice('/search?q=gyre', STAND_IN, async (page) => {
    for (const [error, words] of [
      ['not-allowed', /may not use the microphone/],
      ['service-not-allowed', /not available in this browser/],
      ['network', /not available in this browser/],
      ['no-speech', /No speech was detected/],
    ] as const) {
      await button(page).click();
      await page.evaluate(`hear('half a', false)`);
      await page.evaluate(`fail('${error}')`);
      assert.match(String(await page.locator('.voice-status').textContent()), words);
      assert.equal(await page.locator('input[type=search]').inputValue(), 'gyre');
      assert.equal(await button(page).getAttribute('aria-pressed'), 'false');
    }
  });
});

test('a second click ends voice input', async () => {
  await withVoice('/', STAND_IN, async (page) => {
    await button(page).click();
    await button(page).click();
    assert.equal(await button(page).getAttribute('aria-pressed'), 'false');
    assert.match(String(await page.locator('.voice-status').textContent()), /No speech was detected/);
  });
});

test('a browser without speech recognition has no voice button', async () => {
  await withVoice('/', NONE, async (page) => {
    assert.equal(await page.locator('.voice').isVisible(), false);
    assert.equal(await page.locator('.voice-status').count(), 0);
  });
});
