/** Lists the documents that are generated from the code, with their paths and contents. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchmarksDocs } from '../bench/page/page.ts';
import { scaleDocs } from '../bench/scale/page.ts';
import { SETTINGS } from '../src/cli/settings/settings.ts';
import { formatsPage } from './formats-page.ts';
import { manPage } from './man-page.ts';
import { roomsPage } from './rooms-page.ts';
import { settingsTable } from './settings-table.ts';

const DOCS = join(import.meta.dirname, '..', 'docs');
const SETTINGS_MARK = '<!-- settings: written by `npm run docs` -->';

export interface GeneratedDoc {
  file: string;
  content: string;
}

export async function generatedDocs(): Promise<GeneratedDoc[]> {
  return [
    configurationPage(join(DOCS, 'configuration.md')),
    { file: join(DOCS, 'formats.md'), content: formatsPage() },
    { file: join(DOCS, 'rooms.md'), content: roomsPage() },
    ...benchmarksDocs(),
    scaleDocs(),
    { file: join(DOCS, 'gyre.1'), content: await manPage() },
  ];
}

function configurationPage(file: string): GeneratedDoc {
  const [before] = readFileSync(file, 'utf8').split(SETTINGS_MARK);
  return { file, content: `${before}${SETTINGS_MARK}\n\n${settingsTable(SETTINGS)}\n` };
}
