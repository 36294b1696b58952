/**
 * Finds installed packages: of each folder given, the packages in it, then those nested in their own
 * `node_modules`, level by level. A package that comes twice keeps the first place it was found at, so
 * what the project itself would import wins over what one of its dependencies brought along.
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Log, messageOf, systemCode } from '../base/mod.ts';
import { type Manifest, parseManifest } from './manifest.ts';

export interface FoundPackage {
  folder: string;
  manifest: Manifest;
  /** Of its package.json, in milliseconds since 1970. */
  modifiedAt: number;
}

/** Each root is a folder of packages (a `node_modules`) or itself a package. */
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

/** False for a folder that was seen before under another name: links between packages may form a circle. */
function visit(folder: string, visited: Set<string>): boolean {
  const path = realpathSync(folder);
  if (visited.has(path)) return false;
  visited.add(path);
  return true;
}

function isPackage(folder: string): boolean {
  return statSync(join(folder, 'package.json'), { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The folders below `folder` that may be packages, scoped ones too, in the order of their names. */
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
    if (!isAbsent(error)) log.warn('package left out of the sample web', { file, reason: messageOf(error) });
    return undefined;
  }
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error));
}
