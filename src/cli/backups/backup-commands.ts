/** The commands `gyre backup` and `gyre restore`. */
import { UsageError } from '../../base/mod.ts';
import { commandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { print } from '../output.ts';
import { backUp, restore } from './back-up.ts';

export const backupCommand: Command = {
  name: 'backup',
  positionals: 'DIR',
  summary:
    'Copies the data directory to DIR, also while a crawl runs. The copy is a data directory: --data DIR shows what it has',
  examples: ['gyre backup backups/monday'],
  settings: [],
  flags: [],
  run: async ({ config, positionals }) => {
    const target = onlyDirectory('backup', positionals);
    await backUp(config.data, target);
    print(`backed up ${config.data} to ${target}; gyre restore ${target} --data NEW restores it`);
  },
};

export const restoreCommand: Command = {
  name: 'restore',
  positionals: 'DIR',
  summary: 'Copies a backup to the data directory, which must be empty or not exist',
  examples: ['gyre restore backups/monday --data data'],
  settings: [],
  flags: [],
  run: async ({ config, positionals }) => {
    const from = onlyDirectory('restore', positionals);
    restore(from, config.data);
    print(`restored ${from} to ${config.data}; ${commandFor('up', config.data)} continues from there`);
  },
};

function onlyDirectory(name: string, [directory, extra]: Invocation['positionals']): string {
  if (directory !== undefined && extra === undefined) return directory;
  throw new UsageError('bad-argument', `expected one directory: gyre ${name} DIR; see gyre ${name} --help`);
}
