/** Writes the parts of the documentation that are made from the code. `npm run docs` */
import { readFileSync, writeFileSync } from 'node:fs';
import { SETTINGS } from '../src/cli/config.ts';
import { settingsTable } from '../src/cli/settings-table.ts';

const MARK = '<!-- settings: written by `npm run docs` -->';
const file = new URL('../docs/configuration.md', import.meta.url);
const [before] = readFileSync(file, 'utf8').split(MARK);
writeFileSync(file, `${before}${MARK}\n\n${settingsTable(SETTINGS)}\n`);
