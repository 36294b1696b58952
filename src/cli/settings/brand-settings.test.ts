import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { SURFACES } from './brand-settings.ts';
import { environmentName, loadConfig } from './config.ts';
import { contrastOf } from './contrast.ts';

function brandWith(values: Record<string, string>) {
  const environment = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [environmentName(`brand.${name}`), value]),
  );
  return loadConfig({ flags: {}, environment, file: undefined }).brand;
}

test('the contrast of black and white is 21, and that of a colour with itself 1', () => {
  assert.equal(contrastOf('#000000', '#ffffff'), 21);
  assert.equal(contrastOf('#15616d', '#15616d'), 1);
  assert.ok(Math.abs(contrastOf('#767676', '#ffffff') - 4.54) < 0.01);
});

test('the built-in colours pass the check of their own backgrounds', () => {
  const { color, darkColor } = brandWith({ color: '#15616D', darkColor: '#76c2cf' });
  assert.deepEqual([color, darkColor], ['#15616d', '#76c2cf']);
});

test('a colour with too little contrast is refused, with its contrast and what to do', () => {
  const light =
    /#ffcc00 is too hard to read on light pages: its contrast is 1\.\d, .* choose a darker colour/;
  assert.throws(() => brandWith({ color: '#ffcc00' }), light);
  assert.throws(() => brandWith({ darkColor: '#15616d' }), /on dark pages: .* choose a lighter colour/);
  for (const color of ['red', '#fff', '#15616d;}', 'url(x)'])
    assert.throws(() => brandWith({ color }), /expected a colour such as #15616d/, color);
});

test('names and texts are one line, and links are names with web addresses', () => {
  assert.equal(brandWith({ name: ' Anna & Co. <search> ' }).name, 'Anna & Co. <search>');
  assert.throws(() => brandWith({ name: 'x'.repeat(41) }), /expected one line of 1 to 40 characters/);
  assert.throws(() => brandWith({ name: '' }), /expected one line/);
  assert.throws(() => brandWith({ startText: 'a\nb' }), /expected one line of at most 500 characters/);
  assert.deepEqual(brandWith({ links: 'Our imprint https://a.example/i, Help http://a.example/' }).links, [
    { name: 'Our imprint', url: 'https://a.example/i' },
    { name: 'Help', url: 'http://a.example/' },
  ]);
  for (const link of ['Evil javascript:alert(1)', 'https://a.example/', 'Mail mailto:a@b.example'])
    assert.throws(() => brandWith({ links: link }), /expected a name and a URL that starts with https/, link);
  const many = Array(9).fill('A https://a.example/').join(',');
  assert.throws(() => brandWith({ links: many }), /at most 8 links, got 9/);
});

test('the checked backgrounds are those of the style sheet', () => {
  const css = readFileSync(new URL('../../web/gyre.css', import.meta.url), 'utf8');
  const [light, dark] = ['ground', 'raised', 'note', 'on-brand']
    .map((name) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)!)
    .reduce<[Set<string>, Set<string>]>(
      ([light, dark], [, a, b]) => [light.add(a!), dark.add(b!)],
      [new Set(), new Set()],
    );
  assert.deepEqual([...light], [...SURFACES.light]);
  assert.deepEqual([...dark], [...SURFACES.dark]);
});
