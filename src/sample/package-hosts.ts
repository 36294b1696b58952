/**
 * Assigns hosts of the sample web to packages, one host per package. Dependencies become links between hosts.
 *
 *   undici        undici.localhost
 *   @types/node   node.types.localhost
 *
 * Browsers resolve every name below `localhost` to this machine, so the search results can be opened.
 */
import type { Log } from '../base/mod.ts';
import { writtenAt } from './doc-dates.ts';
import { type DocFile, findDocs } from './doc-files.ts';
import type { PackageManifest } from './manifest.ts';
import type { FoundPackage } from './package-scan.ts';

export interface PackageHost {
  /** The host name without the port. */
  host: string;
  folder: string;
  manifest: PackageManifest;
  /** The installation time of the package: the modification time of its package.json. */
  modifiedAt: number;
  /**
   * The date of the front page: the date of the README or, if there is no README, the date that doc-dates.ts
   * assigns to package.json.
   */
  frontModifiedAt: number;
  /** For each path, the document. The path `/` is present only if the package has a README. */
  docs: Map<string, DocFile>;
  /** The installed packages that depend on this package, sorted by name. */
  usedBy: PackageHost[];
}

export interface PackageHosts {
  /** The hosts by package name, in the order of names. */
  byPackage: Map<string, PackageHost>;
  byHost: Map<string, PackageHost>;
}

/**
 * Returns the host name of a package. Returns null if the name cannot be a host name, because npm once
 * allowed nearly any characters.
 */
export function hostOfPackage(name: string): string | null {
  const parts = /^(?:@([^/]+)\/)?([^/]+)$/.exec(name.toLowerCase());
  if (!parts) return null;
  const host = `${parts[1] === undefined ? parts[2] : `${parts[2]}.${parts[1]}`}.localhost`;
  const isSound = host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
  return isSound && host.length <= 253 ? host : null;
}

export function buildHosts(packages: readonly FoundPackage[], log: Log): PackageHosts {
  const table: PackageHosts = { byPackage: new Map(), byHost: new Map() };
  const inOrder = packages.toSorted((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1));
  for (const found of inOrder) {
    const host = hostOfPackage(found.manifest.name);
    if (host === null || table.byHost.has(host)) {
      const reason = host === null ? 'its name cannot be a host' : `${host} is taken`;
      log.warn('package skipped', { package: found.manifest.name, reason });
      continue;
    }
    const docs = new Map(findDocs(found.folder).map((doc) => [doc.path, doc]));
    const frontModifiedAt =
      docs.get('/')?.modifiedAt ?? writtenAt(found.folder)('package.json', found.modifiedAt);
    const entry: PackageHost = { ...found, host, docs, frontModifiedAt, usedBy: [] };
    table.byPackage.set(found.manifest.name, entry);
    table.byHost.set(host, entry);
  }
  addUsers(table);
  return table;
}

function addUsers(table: PackageHosts): void {
  for (const user of table.byPackage.values()) {
    for (const name of user.manifest.dependencies) table.byPackage.get(name)?.usedBy.push(user);
  }
}
