/** Reads the seeds of a command: its arguments, and the file of `--seeds`. */
import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../../base/mod.ts';
import type { Invocation, OwnFlag } from '../arguments.ts';
import { counted, tell } from '../output.ts';
import { readName, readSeeds, type Seed } from './seed.ts';
import { readSeedFile } from './seed-file.ts';

/** The flags of commands that take seeds. */
export const SEED_FLAGS: readonly OwnFlag[] = [
  {
    name: 'seeds',
    kind: 'string',
    value: 'FILE',
    help: 'read further seeds from a text file, an OPML file, browser bookmarks, a sitemap or a feed; - is standard input',
  },
  {
    name: 'collection',
    kind: 'string',
    value: 'NAME',
    help: 'put the pages of these seeds into this collection, which searches find with collection:NAME',
  },
];

/** The number of bad lines that are reported one by one. */
const MAX_REPORTED = 20;

export function gatherSeeds({ positionals, flags }: Pick<Invocation, 'positionals' | 'flags'>): Seed[] {
  const file = flags.seeds as string | undefined;
  const given = [...readSeeds(positionals), ...(file === undefined ? [] : seedsOfFile(file))];
  if (flags.collection === undefined) return given;
  const name = readName(flags.collection as string);
  if (given.length === 0) {
    throw new UsageError('no-seeds', '--collection needs seeds: name them, or a file with --seeds');
  }
  return given.map((seed) => ({ ...seed, collections: [...new Set([...seed.collections, name])] }));
}

function seedsOfFile(file: string): Seed[] {
  const { seeds, problems } = readSeedFile(readText(file));
  for (const { line, reason } of problems.slice(0, MAX_REPORTED)) tell(`${file} line ${line}: ${reason}`);
  if (problems.length > 0) {
    const left = problems.length - Math.min(problems.length, MAX_REPORTED);
    const others = left > 0 ? `; ${counted(left, 'further line')} not shown` : '';
    tell(
      `${file}: took ${counted(seeds.length, 'seed')}, skipped ${counted(problems.length, 'line')}${others}`,
    );
  }
  if (seeds.length > 0) return seeds;
  throw new UsageError(
    'no-seeds',
    `${file} has no seed: write one URL per line, such as https://example.org/`,
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw new UsageError('bad-option', `--seeds: cannot read ${file}: ${messageOf(cause)}`, { cause });
  }
}
