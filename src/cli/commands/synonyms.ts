/** The command `gyre synonyms [WORD…]`, which lists synonyms. */

import { readOriginOf, readSynonyms } from '../../lexicon/mod.ts';
import { Synonyms } from '../../query/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readData } from '../data-directory.ts';
import { counted, print, printJson } from '../output.ts';
import { readSynonymRules } from '../synonym-rules.ts';

export const synonymsCommand: Command = {
  name: 'synonyms',
  positionals: '[WORD…]',
  summary: 'Lists synonyms found in titles and links, and checks a file of your own synonyms',
  examples: ['gyre synonyms car'],
  settings: [],
  flags: [
    {
      name: 'file',
      kind: 'string',
      value: 'FILE',
      help: 'file of your own rules, one per line: "car, auto" or "upenn => penn" (the file of serve.synonyms)',
    },
    { name: 'json', kind: 'boolean', help: 'print the list as one JSON object' },
  ],
  run: synonyms,
};

async function synonyms({ config, flags, positionals }: Invocation): Promise<void> {
  const rules = readSynonymRules(typeof flags.file === 'string' ? flags.file : config.serve.synonyms);
  const directory = readData(config.data).words;
  const known = new Synonyms(rules, readSynonyms(directory));
  const words = positionals.length > 0 ? positionals.map((word) => word.toLowerCase()) : known.words();
  if (flags.json) return printJson(Object.fromEntries(words.map((word) => [word, known.of(word)])));
  for (const word of words) print(lineOf(word, known));
  if (positionals.length > 0) return;
  const own = rules.length === 0 ? '' : `; ${counted(rules.length, 'rule')} of your own`;
  if (words.length > 0) print(`${counted(words.length, 'word')} with synonyms${own}`);
  else print(whyNone(readOriginOf(directory, 'synonyms')?.docs ?? 0, config.data));
}

/** Returns the reason for an empty list of synonyms: either none were found, or `gyre rank` has not run yet. */
export function whyNone(pages: number, data: string): string {
  const own = 'your own rules belong in the file of serve.synonyms';
  if (pages > 0) return `no synonyms found in the titles and links of ${counted(pages, 'page')}; ${own}`;
  return `no synonyms yet; ${commandFor('rank', data)} finds them in titles and links; ${own}`;
}

function lineOf(word: string, known: Synonyms): string {
  const others = known.of(word).map(({ term, weight, source }) => `${term} ${weight.toFixed(2)} (${source})`);
  return `${word}: ${others.join(', ') || 'none'}`;
}
