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
  const command = `${programOf(environment)} ${name}`;
  return data === DEFAULT_DATA ? command : `${command} --data ${quoted(data)}`;
}

/** Returns a command line for a cluster, such as `gyre node --cluster cluster.json --roles crawl`. */
export function clusterCommandFor(name: string, file: string, environment = process.env): string {
  const [command, ...options] = name.split(' ');
  return [programOf(environment), command, '--cluster', quoted(file), ...options].join(' ');
}

function programOf(environment: NodeJS.ProcessEnv): string {
  return environment.npm_command === undefined ? 'gyre' : 'npx gyre';
}

function quoted(path: string): string {
  return PLAIN.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
