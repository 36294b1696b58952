/**
 * Finds installed packages: the packages in each given folder, then those nested in their `node_modules`,
 * level by level. If a package is found twice, the first one is kept, so the direct dependencies of the
 * project take precedence over nested ones.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Log, messageOf, systemCode } from '../base/mod.ts';
import { type PackageManifest, parseManifest } from './manifest.ts';

export interface FoundPackage {
  folder: string;
  manifest: PackageManifest;
  /** The modification time of its package.json, in milliseconds since 1970. */
  modifiedAt: number;
}

/** Finds the packages in all roots. A root is a folder of packages (`node_modules`) or a package. */
export function scanPackages(roots: readonly string[], log: Log): FoundPackage[] {
  const found = new Map<string, FoundPackage>();
  const visited = new Set<string>();
  let level = roots.flatMap((root) => (isPackage(root) ? [root] : packageFolders(root)));
  while (level.length > 0) {
    const next: string[] = [];
    for (const folder of level) {
      if (!visit(folder, visited)) continue;
      const entry = readPackage(folder, log);
      if (entry && !found.has(entry.manifest.name)) found.set(entry.manifest.name, entry);
      next.push(...packageFolders(join(folder, 'node_modules')));
    }
    level = next;
  }
  return [...found.values()];
}

/**
 * Marks a folder as visited. Returns false if it was visited before, perhaps under another name: symbolic
 * links between packages may form a cycle.
 */
function visit(folder: string, visited: Set<string>): boolean {
  const path = realpathSync(folder);
  if (visited.has(path)) return false;
  visited.add(path);
  return true;
}

function isPackage(folder: string): boolean {
  return statSync(join(folder, 'package.json'), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Lists the folders below `folder` that may be packages, including scoped ones, sorted by name. */
function packageFolders(folder: string): string[] {
  return subfolders(folder).flatMap((path) => (basename(path).startsWith('@') ? subfolders(path) : [path]));
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort()
      .map((name) => join(folder, name))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

function readPackage(folder: string, log: Log): FoundPackage | undefined {
  const file = join(folder, 'package.json');
  try {
    const manifest = parseManifest(readFileSync(file, 'utf8'), basename(folder));
    return { folder, manifest, modifiedAt: statSync(file).mtimeMs };
  } catch (error) {
    if (!isAbsent(error)) log.warn('package skipped', { file, reason: messageOf(error) });
    return undefined;
  }
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error));
}
