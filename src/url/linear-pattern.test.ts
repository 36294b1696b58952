import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { Random } from '../base/mod.ts';
import { compilePattern } from './linear-pattern.ts';

test('patterns match as regular expressions do', () => {
  const cases: [string, string, boolean][] = [
    ['/calendar/\\d{4}-\\d{2}', 'https://a.example/calendar/2024-05', true],
    ['/calendar/\\d{4}-\\d{2}', 'https://a.example/calendar/24-05', false],
    ['^https://[^/]+/$', 'https://a.example/', true],
    ['^https://[^/]+/$', 'https://a.example/b', false],
    ['\\.(?:jpe?g|png)$', 'https://a.example/x.jpeg', true],
    ['\\.(?:jpe?g|png)$', 'https://a.example/x.jpegs', false],
    ['[?&]sort=(asc|desc)(&|$)', 'https://a.example/?sort=desc', true],
    ['(/[a-z]+){3,}', 'https://a.example/b/c/d', true],
    ['^$', '', true],
    ['', 'anything', true],
    ['[\\w-]+@', 'a-b@', true],
    ['[]x]', 'x', false],
    ['^[\\w-.]+$', 'a-b.c', true],
    ['^[a-]+$', 'a-', true],
  ];
  for (const [pattern, text, expected] of cases) {
    assert.equal(compilePattern(pattern)(text), expected, `${pattern} in ${text}`);
  }
});

test('on random patterns and texts the result equals that of RegExp', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const atom = (depth: number): string => {
    const choice = random.below(depth > 0 ? 9 : 6);
    if (choice < 3) return random.pick(['a', 'b', 'c']);
    if (choice < 6) return random.pick(['.', '[ab]', '[^a]', '\\w', '[a-b]', '\\W', '[\\W-c]', '[-b]']);
    if (choice === 6) return `(${sequence(depth - 1)}|${sequence(depth - 1)})`;
    return `(?:${sequence(depth - 1)})`;
  };
  const sequence = (depth: number): string =>
    Array.from(
      { length: random.below(4) },
      () => atom(depth) + random.pick(['', '', '', '*', '+', '?', '{2}', '{1,2}', '{0,}', '*?']),
    ).join('');
  for (let round = 0; round < 3000; round++) {
    const pattern = random.pick(['', '^']) + sequence(2) + random.pick(['', '$']);
    const text = Array.from({ length: random.below(8) }, () => random.pick(['a', 'b', 'c', '/'])).join('');
    const message = `seed ${seed}: ${pattern} in ${text}`;
    assert.equal(compilePattern(pattern)(text), new RegExp(pattern).test(text), message);
  }
});

test('patterns that need backtracking and invalid patterns are rejected with a reason', () => {
  const cases: [string, RegExp][] = [
    ['(?=a)', /only \(\?: is known/],
    ['(a)\\1', /\\1 is not known/],
    ['a\\b', /\\b is not known/],
    ['(a', /not closed/],
    ['a)', /closes nothing/],
    ['[a', /ends too early/],
    ['*a', /nothing that \* could repeat/],
    ['a**', /follows a repetition/],
    ['^*', /an anchor cannot be repeated/],
    ['a{3,2}', /no sensible number/],
    ['[z-a]', /runs backwards/],
    ['ü', /not ASCII/],
    ['a\\', /ends too early/],
    ['(((a{100}){100}){100})', /too many/],
    ['a'.repeat(501), /at most 500/],
  ];
  for (const [pattern, message] of cases) assert.throws(() => compilePattern(pattern), message, pattern);
});

test('patterns that make backtracking slow are matched fast', () => {
  const text = `https://a.example/${'a'.repeat(2000)}!`;
  for (const pattern of ['(a+)+$', '(a|a)+$', '.*.*.*.*.*z', '(a*)*b', '(?:a?){50}a{50}c']) {
    assert.equal(compilePattern(pattern)(text), false, pattern);
  }
});
