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
import { join } from 'node:path';
import { Random } from '../src/base/mod.ts';
import { MAX_PHRASES, readTreeProse } from './prose.ts';

const SHOWN_PLACES = 3;

const [seed = '1', count = '100'] = process.argv.slice(2);
const { fileCount, comments, places, total } = readTreeProse(join(import.meta.dirname, '..'));

const random = new Random(Number(seed));
for (let left = Math.min(Number(count), comments.length); left > 0; left--) {
  const [comment] = comments.splice(random.below(comments.length), 1);
  console.log(`${comment}\n`);
}
for (const [name, found] of places) {
  if (found.length > 0)
    console.log(`${String(found.length).padStart(5)}  ${name}  ${found.slice(0, SHOWN_PLACES).join(' ')}`);
}
console.log(`${total} replaced phrases in ${fileCount} files; expected fewer than ${MAX_PHRASES}`);
process.exitCode = total < MAX_PHRASES ? 0 : 1;
