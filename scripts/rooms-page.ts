/**
 * The list of rooms and shelves in docs/architecture.md, generated from the head comments of their front
 * doors.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '..', 'src');

/** The rooms, in the order in which a page passes through them. */
const ROOMS = [
  ...[
    'base',
    'url',
    'text',
    'page',
    'archive',
    'journal',
    'crawl',
    'import',
    'graph',
    'index',
    'lexicon',
    'build',
  ],
  ...['scoring', 'query', 'answer', 'serve', 'synthetic-web', 'sample', 'cli'],
];

export function roomsList(): string {
  return ROOMS.flatMap((room) => [`### \`src/${room}/\``, '', ...describe(room), '']).join('\n');
}

function describe(room: string): string[] {
  const shelves = shelvesOf(room).map((shelf) => `- \`${shelf}/\`: ${headOf(`${room}/${shelf}`)}`);
  const head = headOf(room);
  return [...(head === '' ? [] : [head]), ...(head !== '' && shelves.length > 0 ? [''] : []), ...shelves];
}

function shelvesOf(room: string): string[] {
  const entries = readdirSync(join(SRC, room), { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name === 'mod.ts')
    .map((entry) => entry.parentPath.slice(join(SRC, room).length + 1))
    .filter((shelf) => shelf !== '')
    .sort();
}

/**
 * Returns the first comment of the front door as one line, without the name of the room; empty when there is
 * no front door.
 */
function headOf(folder: string): string {
  const file = join(SRC, folder, 'mod.ts');
  if (!existsSync(file)) return '';
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const text = comment
    .replace(/\n \* ?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const named = text.replace(/^[\w-]+: /, '');
  return named.charAt(0).toUpperCase() + named.slice(1);
}
