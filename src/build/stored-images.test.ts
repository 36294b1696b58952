import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MarkKind } from '../page/mod.ts';
import { canonicalize } from '../url/mod.ts';
import { pageRecord } from './journal.fixture.ts';
import { storedImagesOf } from './stored-images.ts';

const url = canonicalize('https://example.org/img/lowTide_2.png')!;
const text = 'Tides\nThe sea\nNoon';
const marks = [{ start: 0, end: 5, kind: MarkKind.heading1 }];

function images(page: Parameters<typeof pageRecord>[2]) {
  return storedImagesOf(pageRecord('a', text, { marks, ...page }).page);
}

test('a picture is described by its best text, and all others are its context', () => {
  assert.deepEqual(images({ images: [{ url, at: 9, alt: 'The bay', caption: 'At noon' }] }), [
    { url, label: 'The bay', context: 'At noon\nTides\nlow Tide\nThe\nsea' },
  ]);
  assert.deepEqual(images({ images: [{ url, at: 9 }] }), [
    { url, label: 'Tides', context: 'low Tide\nThe\nsea' },
  ]);
});

test('pictures are not stored if their texts must not be quoted', () => {
  const robots = { index: true, follow: true, archive: true, snippet: false };
  const picture = { url, at: 9, alt: 'The bay' };
  assert.deepEqual(images({ images: [picture], robots }), []);
  assert.deepEqual(images({ images: [picture], noSnippet: [[6, 13]] }), []);
});

test('the paragraphs around a picture are its context, without the name of its file', () => {
  const page = 'Setup\nOpen the lock gate first.\npics/lowTide_2.png\nThe water rises slowly.';
  const at = page.indexOf('pics');
  const [image] = storedImagesOf(pageRecord('a', page, { images: [{ url, at, alt: '[*] Lock gate' }] }).page);
  assert.deepEqual(image, {
    ...{ url, label: 'Lock gate' },
    context: 'low Tide\nOpen the lock gate first.\nThe water rises slowly.',
  });
});
