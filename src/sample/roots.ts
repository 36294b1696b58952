/**
 * Finds the folders with installed packages on this machine, without a search of the disk: the dependencies
 * of Gyre, and npm with its own dependencies.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

interface RootHints {
  /**
   * The environment: npm gives its scripts its own path in `npm_execpath`; otherwise npm is looked up in
   * `PATH`.
   */
  env: Readonly<Record<string, string | undefined>>;
  /** The running Node.js, `process.execPath`: npm is installed with it. */
  nodePath: string;
}

/**
 * Returns the folders for `startSampleWeb`: those that exist, without duplicates. `packageRoot` is the folder
 * of Gyre's own package.json: in a checkout its packages are below it, in an installed Gyre they are beside
 * it.
 */
export function sampleRoots(packageRoot: string, hints = ofThisProcess()): string[] {
  const own = [join(packageRoot, 'node_modules')];
  const parent = dirname(resolve(packageRoot));
  if (basename(parent) === 'node_modules') own.push(parent);
  const roots = [...own, ...npmFolders(hints)].filter((folder) => existsSync(folder));
  return [...new Set(roots.map((folder) => realpathSync(folder)))];
}

/** The location of npm is a property of this process, not a setting, so it is read here. */
function ofThisProcess(): RootHints {
  return { env: process.env, nodePath: process.execPath };
}

/**
 * Returns npm's own folder, and also the folder of its dependencies if a distribution installs them
 * separately.
 */
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

/**
 * Returns the package of `…/npm/bin/npm-cli.js` after following symbolic links; nothing if another program
 * has that name.
 */
function packageOf(program: string | undefined): string[] {
  if (!program || !existsSync(program)) return [];
  const folder = dirname(dirname(realpathSync(program)));
  return basename(folder) === 'npm' ? [folder] : [];
}

function pathEntries(path: string | undefined): string[] {
  return (path ?? '').split(delimiter).filter(Boolean);
}
