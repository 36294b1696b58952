import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNSEEN_SENTENCES } from './language.fixture.ts';
import { settleLanguage } from './page-language.ts';

const NONE = { declared: '', header: '', listed: '', url: [] as string[] };
const german = UNSEEN_SENTENCES.de!.join(' ');
const english = UNSEEN_SENTENCES.en!.join(' ');

function settle(statements: Partial<typeof NONE>, text: string, title = '') {
  return settleLanguage({ ...NONE, ...statements }, { title, text });
}

test('clear words override the declared language if that language is supported', () => {
  const declared = (tag: string, text: string) => settle({ declared: tag }, text);
  assert.deepEqual(declared('en-US', german), { language: 'de', overruled: 'en-us' });
  assert.deepEqual(declared('de-AT', german), { language: 'de-at', overruled: '' });
  assert.deepEqual(declared('gsw', german), { language: 'gsw', overruled: '' });
  assert.deepEqual(declared('', german), { language: 'de', overruled: '' });
  assert.deepEqual(settle({ header: 'fr, en' }, '42'), { language: 'fr', overruled: '' });
  assert.deepEqual(declared('fr', 'Der Text'), { language: 'fr', overruled: '' });
  const japanese = UNSEEN_SENTENCES.ja!.join('');
  assert.deepEqual(declared('zh-CN', japanese), { language: 'ja', overruled: 'zh-cn' });
});

test('the language is that of the content, not of the menus around it', () => {
  const menu = 'Home About us The team Contact and the rest of the menu that is in English for all\n'.repeat(
    5,
  );
  const text = menu + UNSEEN_SENTENCES.fr!.join(' ');
  const boilerplate: [number, number][] = [[0, menu.length]];
  assert.equal(settleLanguage(NONE, { title: '', text, boilerplate }).language, 'fr');
});

test('the code in the URL decides for a table with a few words of the language', () => {
  const table = (labels: string) => `${labels}\nC3H6O 58.0791 g/mol\nBall and Stick format, the CML of IUPAC`;
  const inUrl = (code: string, labels: string, title = '') => settle({ url: [code] }, table(labels), title);
  assert.equal(inUrl('de', 'Zurück zum Index\nSchmelzpunkt').language, 'de');
  assert.equal(inUrl('nl', 'De structuur\nNaam van het molecuul').language, 'nl');
  assert.equal(inUrl('es', 'Punto de ebullición\nDescargar la estructura').language, 'es');
  assert.equal(inUrl('zh', '丙酮\n沸點').language, 'zh');
  assert.equal(inUrl('fr', 'Masse molaire', 'Propriétés de l’acétone').language, 'fr');
});

test('a code in the URL without words of this language says nothing, and a long text decides alone', () => {
  assert.equal(settle({ url: ['it'] }, 'The sign of the form').language, 'en');
  assert.equal(settle({ url: ['it'] }, 'x = 42').language, '');
  assert.equal(settle({}, 'Lamp Plus', 'Lamp Plus et Lamp Plus').language, '');
  assert.equal(settle({ url: ['da'], listed: 'da', declared: 'da' }, english).language, 'en');
});

test('hreflang and the URL together outweigh the language that a template declares', () => {
  const found = settle({ declared: 'en', listed: 'de-at', url: ['de'] }, 'Aceton\nname of the molecule');
  assert.deepEqual(found, { language: 'de-at', overruled: 'en' });
});
