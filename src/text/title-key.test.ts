import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleKeyOf } from './title-key.ts';

test('the key of a title ignores case, accents and punctuation', () => {
  const key = titleKeyOf('Classes: Café — Acme 9.5 (stable)');
  assert.equal(titleKeyOf('classes cafe acme 9.5 stable'), key);
  assert.notEqual(titleKeyOf('classes cafes acme 9.5 stable'), key);
  assert.equal(titleKeyOf('Über'), titleKeyOf('über'));
  assert.notEqual(titleKeyOf('使い方'), titleKeyOf('使い'));
  assert.deepEqual(['', '->', ' '].map(titleKeyOf), [0, 0, 0]);
});
