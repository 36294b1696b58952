import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBetter, isMuchBetter, mayBeMisspelled } from './judge-correction.ts';

const evidence = (coverage: number, counts: Record<string, number>, docCount = 10_000, inHeadings = 0) => ({
  docCount,
  inHeadings,
  coverage,
  words: Object.entries(counts).map(([word, count]) => ({ typed: [word], docCount: count })),
});
const correction = { query: 'http client', changes: [{ typed: 'clinet', meant: 'client' }] };

test('a query of common words whose results have all of them is meant as typed', () => {
  assert.ok(!mayBeMisspelled(evidence(1, { http: 500, client: 300 })));
  assert.ok(mayBeMisspelled(evidence(0.7, { http: 500, client: 300 })));
  assert.ok(mayBeMisspelled(evidence(1, { http: 500, clinet: 1 })));
  assert.ok(mayBeMisspelled(evidence(1, { http: 500, clinet: 10 }, 100_000)));
});

test('a correction of a word that no document has is much better if documents have all its words', () => {
  const typed = evidence(0.5, { http: 500, clinet: 0 });
  assert.ok(isMuchBetter(correction, typed, evidence(1, { http: 500, client: 3 })));
  assert.ok(!isMuchBetter(correction, typed, evidence(0.5, { http: 500, client: 3 })));
});

test('a correction of a word of some documents is much better only if its word is far more common', () => {
  const typed = evidence(1, { http: 500, clinet: 2 });
  assert.ok(isMuchBetter(correction, typed, evidence(1, { http: 500, client: 300 })));
  assert.ok(!isMuchBetter(correction, typed, evidence(1, { http: 500, client: 100 })));
});

test('a correction is much better if the typed query has no good result and all of its words are together', () => {
  const corrected = evidence(1, { http: 500, client: 30 });
  assert.ok(isMuchBetter(correction, evidence(0.3, { http: 500, clinet: 4 }), corrected));
  assert.ok(!isMuchBetter(correction, evidence(0.7, { http: 500, clinet: 4 }), corrected));
});

test('a rare word in the headings of a page is meant as typed', () => {
  const corrected = evidence(1, { http: 500, client: 3000 });
  assert.ok(isMuchBetter(correction, evidence(1, { http: 500, clinet: 2 }, 10_000, 0.1), corrected));
  assert.ok(!isMuchBetter(correction, evidence(1, { http: 500, clinet: 2 }, 10_000, 0.8), corrected));
});

test('a correction is offered if more of its words are together', () => {
  const typed = evidence(0.6, { http: 500, clinet: 20 });
  assert.ok(isBetter(typed, evidence(0.8, { http: 500, client: 300 })));
  assert.ok(!isBetter(typed, evidence(0.6, { http: 500, client: 300 })));
});
