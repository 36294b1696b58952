/** Reads the operator's file of synonyms. */
import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../base/mod.ts';
import { parseSynonyms, type SynonymRule } from '../query/mod.ts';

/** Reads the operator's synonyms from a file; returns an empty list if no file is named. */
export function readSynonymRules(file: string): SynonymRule[] {
  if (file === '') return [];
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError('bad-synonyms', `cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
  return parseSynonyms(text, file);
}
