import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import { inertStyle } from './inert-style.ts';

test('rules and functions that load files are removed, and everything else stays', () => {
  const kept = [
    'a > b:not(.c)::after { content: "url(x) @import"; width: calc(1px + (2em)) }',
    '@media print { a { color: #fff } }',
    ".x\\:y { quotes: '\\201c' }",
    '@font-face { font-family: "a" }',
    'p { --my-url: 1; color: var(--url) }',
  ];
  for (const css of kept) assert.equal(inertStyle(css), css);
  assert.equal(inertStyle('@import "a"; b { c: url(d) e }'), '  b { c: none e }');
  assert.equal(
    inertStyle('a { b: url("x)y") c; d: image-set("e" 1x, url(f) 2x) }'),
    'a { b: none c; d: none }',
  );
  assert.equal(inertStyle('a/* url(x) */b'), 'a/**/b');
});

test('a removed token does not join its neighbours', () => {
  assert.equal(inertStyle('@imp@import;ort "x";'), '@imp ort "x";');
  assert.equal(inertStyle('uurl(a)rl(b)'), 'uurl(a)rl(b)');
  assert.equal(inertStyle('url(a)rl(b)'), 'nonerl(b)');
  assert.equal(inertStyle('@imp/**/ort "x";'), '@imp/**/ort "x";');
});

test('CSS names are compared as in browsers', () => {
  assert.equal(inertStyle('@\\69 mport "x";@IMPORT y;@\\00006dport z;'), '  @\\00006dport z;');
  assert.equal(
    inertStyle('u\\72 l(x) \\55RL(y) \\url(z) \\000075\\000072\\00006c (z)'),
    'none none none none',
  );
  // An escaped backslash followed by digits is not an escaped letter.
  assert.equal(inertStyle('@\\\\69 mport "x"'), '@\\\\69 mport "x"');
});

test('an unclosed block extends to the end', () => {
  for (const css of ['url(a', 'url("a', '@import a', 'image(a [b', 'url(a\\)b']) {
    assert.match(inertStyle(css), /^(?:none| )$/);
  }
  assert.equal(inertStyle('"a\nurl(b)'), '"a\nnone');
  assert.equal(inertStyle('"a\\\nurl(b)"'), '"a\\\nurl(b)"');
});

test('cleaning a style sheet twice changes nothing', () => {
  const parts = [
    ...[
      '@',
      '@import',
      'im',
      'port',
      'u',
      'rl',
      'url',
      '(',
      ')',
      '"',
      "'",
      ';',
      '{',
      '}',
      '[',
      ']',
      '\\',
      ' ',
    ],
    ...['\n', '/*', '*/', '75', '\\75', '\\69 ', 'image', '-', 'é', '1', 'src(', '\r\n', '<', '/'],
  ];
  const random = new Random(220);
  for (let i = 0; i < 20_000; i++) {
    const css = Array.from({ length: 1 + random.below(14) }, () => parts[random.below(parts.length)]).join(
      '',
    );
    const clean = inertStyle(css);
    assert.equal(inertStyle(clean), clean, JSON.stringify(css));
  }
});
