import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalize } from '../url/mod.ts';
import { urlFitOf } from './url-fit.ts';

const url = (path: string) => canonicalize(`https://a.example/${path}`)!;
const english = { canonical: null, language: 'en-gb' };

test('a URL in the language of the text fits better than one without a language, and that better than another', () => {
  const [en, none, da] = ['en/mod/core.html', 'mod/core.html', 'da/mod/core.html'].map((path) =>
    urlFitOf(url(path), english),
  );
  assert.ok(en! > none! && none! > da!);
  assert.ok(urlFitOf(url('core.html.en'), english) > urlFitOf(url('core.html.ko'), english));
  assert.ok(urlFitOf(url('book/en-US/a'), english) > urlFitOf(url('book/cs-CZ/a'), english));
  assert.equal(urlFitOf(url('da/'), { canonical: null, language: '' }), urlFitOf(url(''), english));
});

test('a canonical link outweighs hreflang, and hreflang outweighs the language in the URL', () => {
  const page = {
    ...english,
    alternates: [
      { url: url('1'), language: 'en' },
      { url: url('2'), language: 'da' },
      { url: url('3'), language: 'x-default' },
    ],
  };
  const fits = ['1', 'en/4', '3', '2'].map((path) => urlFitOf(url(path), page));
  assert.deepEqual(
    [...fits].sort((a, b) => b - a),
    fits,
  );
  const canonical = { ...page, canonical: url('2') };
  assert.ok(urlFitOf(url('2'), canonical) > urlFitOf(url('1'), canonical));
});
