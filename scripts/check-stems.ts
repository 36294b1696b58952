/**
 * Compares the stemmers of Gyre with the reference implementation, for every word of whole dictionaries.
 *
 *   npm run check:stems [-- --write]
 *
 * The reference is `stemwords` of Debian's libstemmer-tools (version 2.2.0: later versions changed the rules of
 * English, German and Dutch among others). The words are from Debian's word lists; the Russian words are from
 * the dictionary of hunspell, with all their endings. `--write` also writes a sample per language to
 * test/fixtures/stems.tsv, for the unit tests.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STEMMERS, type StemmedLanguage } from '../src/text/stem/mod.ts';

const FIXTURE = join(import.meta.dirname, '..', 'test', 'fixtures', 'stems.tsv');
const SAMPLE = 400;
const SHOWN = 10;
/**
 * The Russian dictionary has several million words if all endings are added. Only every third of these words is
 * compared.
 */
const RUSSIAN_STEP = 3;

const SOURCES: Record<StemmedLanguage, { name: string; words: () => string[] }> = {
  de: { name: 'german', words: () => listOf('ngerman') },
  en: { name: 'english', words: () => listOf('american-english') },
  es: { name: 'spanish', words: () => listOf('spanish') },
  fr: { name: 'french', words: () => listOf('french') },
  it: { name: 'italian', words: () => listOf('italian') },
  nl: { name: 'dutch', words: () => listOf('dutch') },
  pt: { name: 'portuguese', words: () => listOf('portuguese') },
  ru: { name: 'russian', words: russianWords },
  sv: { name: 'swedish', words: () => listOf('swedish') },
};

const sample: string[] = [];
for (const [language, { name, words }] of Object.entries(SOURCES)) {
  const all = [...new Set(words().map((word) => word.normalize('NFC').toLowerCase()))];
  const expected = published(name, all);
  const stem = STEMMERS[language as StemmedLanguage];
  const wrong = all.filter((word, i) => stem(word) !== expected[i]);
  console.log(`${name}: ${all.length} words, ${wrong.length} differ`);
  for (const word of wrong.slice(0, SHOWN)) {
    console.log(`  ${word}: expected ${expected[all.indexOf(word)]}, got ${stem(word)}`);
  }
  if (wrong.length > 0) process.exitCode = 1;
  const step = all.length / SAMPLE;
  for (let i = 0; i < SAMPLE; i++) {
    const at = Math.floor(i * step);
    sample.push(`${language}\t${all[at]}\t${expected[at]}`);
  }
}
if (process.argv.includes('--write')) writeSample(sample);

function writeSample(lines: readonly string[]): void {
  const source =
    '# language, word, stem by libstemmer 2.2.0; words from the lists of Debian 12. Written by: npm run check:stems -- --write';
  writeFileSync(FIXTURE, `${source}\n${lines.join('\n')}\n`);
}

function published(name: string, words: readonly string[]): string[] {
  const input = `${words.join('\n')}\n`;
  const options = { input, encoding: 'utf8', maxBuffer: 1024 ** 3 } as const;
  return execFileSync('stemwords', ['-l', name], options).split('\n').slice(0, words.length);
}

function listOf(name: string): string[] {
  return readFileSync(join('/usr/share/dict', name), 'utf8').split('\n').filter(Boolean);
}

/** Returns every word of the Russian dictionary with every ending that its flags allow. */
function russianWords(): string[] {
  const read = (kind: string) =>
    new TextDecoder('koi8-r').decode(readFileSync(`/usr/share/hunspell/ru_RU.${kind}`)).split(/\r?\n/);
  const rules = new Map<string, [condition: RegExp, strip: number, ending: string][]>();
  for (const line of read('aff')) {
    const [kind, flag, strip, ending, condition] = line.split(/\s+/);
    if (kind !== 'SFX' || condition === undefined) continue;
    const length = strip === '0' ? 0 : strip!.length;
    const add = ending === '0' ? '' : ending!;
    rules.set(flag!, [...(rules.get(flag!) ?? []), [new RegExp(`${condition}$`), length, add]]);
  }
  const words = read('dic')
    .slice(1)
    .flatMap((line) => {
      const [word = '', flags = ''] = line.split('/');
      const own = [...flags]
        .flatMap((flag) => rules.get(flag) ?? [])
        .filter(([condition]) => condition.test(word));
      return [word, ...own.map(([, strip, ending]) => word.slice(0, word.length - strip) + ending)];
    });
  return words.filter((word, i) => word !== '' && i % RUSSIAN_STEP === 0);
}
