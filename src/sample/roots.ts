/**
 * Finds folders with installed packages on this machine without searching the disk: the dependencies of Gyre,
 * and npm with its dependencies.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';

interface RootHints {
  /**
   * The environment variables. npm sets `npm_execpath` to its path for the scripts that it runs. If this
   * variable is missing, npm is looked up in `PATH`.
   */
  env: Readonly<Record<string, string | undefined>>;
  /** The path of the running Node.js (`process.execPath`). npm is usually installed beside it. */
  nodePath: string;
}

/**
 * Returns the existing folders with packages for the sample web, without duplicates. `packageRoot` is the
 * folder of Gyre's own package.json: in a checkout its packages are below it, in an installed Gyre they are
 * beside it.
 */
export function sampleRoots(packageRoot: string, hints = ofThisProcess()): string[] {
  const own = [join(packageRoot, 'node_modules')];
  const parent = dirname(resolve(packageRoot));
  if (basename(parent) === 'node_modules') own.push(parent);
  const roots = [...own, ...npmFolders(hints)].filter((folder) => existsSync(folder));
  return [...new Set(roots.map((folder) => realpathSync(folder)))];
}

/**
 * Returns the hints of the current process. This module reads the environment itself, because the location of
 * npm is not a setting.
 */
function ofThisProcess(): RootHints {
  return { env: process.env, nodePath: process.execPath };
}

/**
 * Returns the folder of npm, and the folder of its dependencies if a distribution installs them separately.
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
 * Returns the package folder of npm from the path of its program (`…/npm/bin/npm-cli.js`), after following
 * symbolic links. Returns an empty list if the program is not npm.
 */
function packageOf(program: string | undefined): string[] {
  if (!program || !existsSync(program)) return [];
  const folder = dirname(dirname(realpathSync(program)));
  return basename(folder) === 'npm' ? [folder] : [];
}

function pathEntries(path: string | undefined): string[] {
  return (path ?? '').split(delimiter).filter(Boolean);
}
