import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paceOf } from './embedding-pace.ts';
import { ShownPages } from './shown-pages.ts';

test('vectors are computed slowly while pages are crawled or searched, and never faster than the setting', () => {
  const never = Number.POSITIVE_INFINITY;
  assert.equal(paceOf({ isBusy: false, sinceSearchMs: never }, 50), 50);
  assert.equal(paceOf({ isBusy: false, sinceSearchMs: 2000 }, 50), 50);
  assert.equal(paceOf({ isBusy: false, sinceSearchMs: 100 }, 50), 5);
  assert.equal(paceOf({ isBusy: true, sinceSearchMs: never }, 50), 5);
  assert.equal(paceOf({ isBusy: true, sinceSearchMs: 0 }, 2), 2);
});

test('a shown page counts as a search', () => {
  const shown = new ShownPages();
  assert.equal(shown.sinceShownMs(), Number.POSITIVE_INFINITY);
  shown.add(7n);
  assert.ok(Number.isFinite(shown.sinceShownMs()));
});
