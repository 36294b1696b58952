/** The documents that are made from the code: which files, and what they should say. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '../src/cli/settings.ts';
import { settingsTable } from '../src/cli/settings-table.ts';
import { formatsPage } from './formats-page.ts';

const DOCS = join(import.meta.dirname, '..', 'docs');
const MARK = '<!-- settings: written by `npm run docs` -->';

export interface GeneratedDoc {
  file: string;
  content: string;
}

export function generatedDocs(): GeneratedDoc[] {
  const configuration = join(DOCS, 'configuration.md');
  const [before] = readFileSync(configuration, 'utf8').split(MARK);
  return [
    { file: configuration, content: `${before}${MARK}\n\n${settingsTable(SETTINGS)}\n` },
    { file: join(DOCS, 'formats.md'), content: formatsPage() },
  ];
}
