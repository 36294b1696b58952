/**
 * Checks the language of comments, documents, UI messages, help, errors, logs and test names by the phrases
 * that the style guide replaces.
 *
 *   npm run check:prose [-- SEED [COUNT]]
 *
 * Prints COUNT random comments (100 unless given), chosen by SEED, for a reader to judge. Then prints the
 * number of lines that use each phrase, and the first of these lines. Exits with 1 if the total is at or above
 * the limit.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../src/base/mod.ts';
import { commentsOf, hasProse, PHRASES, proseLines } from './prose.ts';

const ROOT = join(import.meta.dirname, '..');
const MAX_PHRASES = 10;
const SHOWN_PLACES = 3;
/** Files that are not checked, because they contain the phrases as data. */
const OWN_FILES = ['scripts/prose.ts', 'scripts/prose.test.ts'];

const [seed = '1', count = '100'] = process.argv.slice(2);
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((file) => hasProse(file) && !OWN_FILES.includes(file));

const comments: string[] = [];
const places = new Map<string, string[]>(PHRASES.map(({ name }) => [name, []]));
for (const file of files) {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (file.endsWith('.ts')) comments.push(...commentsOf(text).map((comment) => `${file}\n${comment}`));
  for (const { line, text: prose } of proseLines(file, text)) {
    for (const { name, pattern } of PHRASES) {
      if (pattern.test(prose)) places.get(name)!.push(`${file}:${line}`);
    }
  }
}

const random = new Random(Number(seed));
for (let left = Math.min(Number(count), comments.length); left > 0; left--) {
  const [comment] = comments.splice(random.below(comments.length), 1);
  console.log(`${comment}\n`);
}
let total = 0;
for (const [name, found] of places) {
  total += found.length;
  if (found.length > 0)
    console.log(`${String(found.length).padStart(5)}  ${name}  ${found.slice(0, SHOWN_PLACES).join(' ')}`);
}
console.log(`${total} replaced phrases in ${files.length} files; expected fewer than ${MAX_PHRASES}`);
process.exitCode = total < MAX_PHRASES ? 0 : 1;
