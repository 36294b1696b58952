/**
 * The hosts of the sample web: one per package, linked to each other by dependencies.
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
  /** Without the port. */
  host: string;
  folder: string;
  manifest: PackageManifest;
  /** The installation time, from the modification time of the manifest. */
  modifiedAt: number;
  /** The date of the front page: that of the README if there is one. */
  frontModifiedAt: number;
  /** Documents by path; contains `/` only if the package has a README. */
  docs: Map<string, DocFile>;
  /** Installed packages that depend on this one, by name. */
  usedBy: PackageHost[];
}

export interface PackageHosts {
  /** Hosts by package name, in the order of names. */
  byPackage: Map<string, PackageHost>;
  byHost: Map<string, PackageHost>;
}

/** Returns null for a name that cannot be a host name: npm once allowed nearly any characters. */
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
