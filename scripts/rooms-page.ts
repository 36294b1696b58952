/**
 * Generates docs/rooms.md, the table of rooms and shelves, from the head comments of the `mod.ts` files.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '..', 'src');

/** The rooms, in the order in which a page passes through them. */
const ROOMS = [
  ...['base', 'url', 'text', 'page', 'archive', 'journal', 'crawl', 'import', 'graph', 'index', 'lexicon'],
  ...['meaning', 'build', 'scoring', 'query', 'answer', 'cluster', 'serve', 'synthetic-web', 'sample', 'cli'],
];

/** The description of `cli/`, the only room without a `mod.ts`, because nothing imports it. */
const CLI = 'One file per command, and the only place where rooms are connected with each other.';

const HEAD = `# The rooms

The folders of \`src/\` in the order in which a page passes through them, with the head comments of their front doors. The
\`mod.ts\` of each shelf has one too. \`npm run docs\` writes this page; [architecture](architecture.md) explains the layout.
`;

/** Returns the page. A row of its table has the head comment of a room and the names of its shelves. */
export function roomsPage(): string {
  return [HEAD, '| room | answers | shelves |', '|---|---|---|', ...ROOMS.map(describe), ''].join('\n');
}

function describe(room: string): string {
  const shelves = shelvesOf(room).map((shelf) => `\`${shelf}/\``);
  return `| \`${room}/\` | ${headOf(room) || CLI} | ${shelves.join(' ')} |`;
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
 * Returns the head comment of a folder's `mod.ts` as one line, without the name of the room; empty if there
 * is no `mod.ts`.
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
