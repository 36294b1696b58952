/**
 * Formats the commands in advice so that they can be pasted into a shell: with the `--data` directory in use,
 * and with npx if npm started this process.
 */
import { DEFAULT_DATA } from './settings/mod.ts';

/** Matches paths that a shell accepts without quotes. */
const PLAIN = /^[\w./@%+=:,-]+$/;

/**
 * Returns a command line such as `gyre resume --data /srv/gyre`. For the default data directory, `--data` is left
 * out.
 */
export function commandFor(name: string, data: string, environment = process.env): string {
  const program = environment.npm_command === undefined ? 'gyre' : 'npx gyre';
  return data === DEFAULT_DATA ? `${program} ${name}` : `${program} ${name} --data ${quoted(data)}`;
}

function quoted(path: string): string {
  return PLAIN.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
