/** gyre synonyms [WORD…] */
import { Synonyms } from '../../query/mod.ts';
import { readSynonyms } from '../../words/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readData } from '../data-directory.ts';
import { counted, print, printJson } from '../output.ts';
import { readSynonymRules } from '../synonym-rules.ts';

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
      help: 'rules of your own: "car, auto" or "upenn => penn", one a line; those of serve.synonyms if none is named',
    },
    { name: 'json', kind: 'boolean', help: 'print the list as one JSON object' },
  ],
  run: synonyms,
};

async function synonyms({ config, flags, positionals }: Invocation): Promise<void> {
  const rules = readSynonymRules(typeof flags.file === 'string' ? flags.file : config.serve.synonyms);
  const known = new Synonyms(rules, readSynonyms(readData(config.data).words));
  const words = positionals.length > 0 ? positionals.map((word) => word.toLowerCase()) : known.words();
  if (flags.json) return printJson(Object.fromEntries(words.map((word) => [word, known.of(word)])));
  for (const word of words) print(lineOf(word, known));
  if (positionals.length === 0) print(summaryOf(words.length, rules.length));
}

function summaryOf(words: number, rules: number): string {
  const own = rules === 0 ? '' : `; ${counted(rules, 'rule')} of your own`;
  if (words > 0) return `${counted(words, 'word')} with synonyms${own}`;
  return 'no synonyms are known: gyre rank takes the words in which two names of a page differ, its title or what other sites call it, and has found none so far';
}

function lineOf(word: string, known: Synonyms): string {
  const others = known.of(word).map(({ term, weight, source }) => `${term} ${weight.toFixed(2)} (${source})`);
  return `${word}: ${others.join(', ') || 'none'}`;
}
