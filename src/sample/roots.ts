/**
 * Where packages are installed on this machine, as far as we know without searching the disk: those
 * that Gyre needs, and npm with what it is made of.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

export interface RootHints {
  /** The environment: npm tells its scripts where it is in `npm_execpath`; else it is looked for in `PATH`. */
  env: Readonly<Record<string, string | undefined>>;
  /** The running Node.js, `process.execPath`: npm comes with it. */
  nodePath: string;
}

/**
 * Folders for `startSampleWeb`, those that exist, each once. `packageRoot` is the folder of Gyre's own
 * package.json: in a checkout its packages are below it, in an installed Gyre they are beside it.
 */
export function sampleRoots(packageRoot: string, hints = ofThisProcess()): string[] {
  const own = [join(packageRoot, 'node_modules')];
  const parent = dirname(resolve(packageRoot));
  if (basename(parent) === 'node_modules') own.push(parent);
  const roots = [...own, ...npmFolders(hints)].filter((folder) => existsSync(folder));
  return [...new Set(roots.map((folder) => realpathSync(folder)))];
}

/** Where npm is, is a fact about the process that npm started, not a setting: so it is read here. */
function ofThisProcess(): RootHints {
  return { env: process.env, nodePath: process.execPath };
}

/** npm's own folder; where a distribution has taken npm apart, the folder of all its parts too. */
function npmFolders(hints: RootHints): string[] {
  const programs = [
    hints.env.npm_execpath,
    ...pathEntries(hints.env.PATH).map((folder) => join(folder, 'npm')),
  ];
  const folders = [join(dirname(hints.nodePath), '..', 'lib', 'node_modules', 'npm')];
  folders.push(...programs.flatMap((program) => packageOf(program)));
  const npm = folders.find((folder) => existsSync(join(folder, 'package.json')));
  if (npm === undefined) return [];
  return existsSync(join(npm, 'node_modules')) ? [npm] : [npm, dirname(realpathSync(npm))];
}

/** The package of `…/npm/bin/npm-cli.js`, links followed; nothing when another program goes by the name. */
function packageOf(program: string | undefined): string[] {
  if (!program || !existsSync(program)) return [];
  const folder = dirname(dirname(realpathSync(program)));
  return basename(folder) === 'npm' ? [folder] : [];
}

function pathEntries(path: string | undefined): string[] {
  return (path ?? '').split(delimiter).filter(Boolean);
}
