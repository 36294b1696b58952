/** Commands in advice, written so that they can be pasted: for the directory that is meant, and by npx if npm started us. */
import { DEFAULT_DATA } from './settings.ts';

/** What a shell takes as it stands. */
const PLAIN = /^[\w./@%+=:,-]+$/;

/** `gyre resume --data /srv/gyre`; the directory that is meant anyway is left out. */
export function commandFor(name: string, data: string, environment = process.env): string {
  const program = environment.npm_command === undefined ? 'gyre' : 'npx gyre';
  return data === DEFAULT_DATA ? `${program} ${name}` : `${program} ${name} --data ${quoted(data)}`;
}

function quoted(path: string): string {
  return PLAIN.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
