/** gyre synonyms [WORD…] */
import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../../base/mod.ts';
import { parseSynonyms, type SynonymRule, Synonyms } from '../../query/mod.ts';
import { readSynonyms } from '../../words/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readData } from '../data-directory.ts';
import { print, printJson } from '../output.ts';

export const synonymsCommand: Command = {
  name: 'synonyms',
  positionals: '[WORD…]',
  summary: 'Lists words that titles and links use for the same pages, and checks a file of your own',
  settings: [],
  flags: [
    {
      name: 'file',
      kind: 'string',
      value: 'FILE',
      help: 'rules of your own: "car, auto" or "upenn => penn", one a line',
    },
    { name: 'json', kind: 'boolean', help: 'print the list as one JSON object' },
  ],
  run: synonyms,
};

async function synonyms({ config, flags, positionals }: Invocation): Promise<void> {
  const rules = typeof flags.file === 'string' ? rulesIn(flags.file) : [];
  const known = new Synonyms(rules, readSynonyms(readData(config.data).words));
  const words = positionals.length > 0 ? positionals.map((word) => word.toLowerCase()) : known.words();
  if (flags.json) return printJson(Object.fromEntries(words.map((word) => [word, known.of(word)])));
  for (const word of words) print(lineOf(word, known));
}

function lineOf(word: string, known: Synonyms): string {
  const others = known.of(word).map(({ term, weight, source }) => `${term} ${weight.toFixed(2)} (${source})`);
  return `${word}: ${others.join(', ') || 'none'}`;
}

function rulesIn(file: string): SynonymRule[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError('bad-synonyms', `cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
  return parseSynonyms(text, file);
}
