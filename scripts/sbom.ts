/**
 * npm run --silent sbom > gyre.cdx.json
 *
 * Writes the list of all packages that `npm ci` installs, with versions, licenses and checksums, as a CycloneDX
 * document (a software bill of materials). Its only input is package-lock.json, so the same commit gives the same
 * bytes: the document has no time and no serial number. Packages for development have the scope `excluded`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const PREFIX = 'node_modules/';

export interface LockedPackage {
  version?: string;
  license?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Returns the packages of package-lock.json by their paths; the project itself has the path "". */
export function lockedPackages(): Map<string, LockedPackage> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return new Map(Object.entries(lock.packages));
}

export function nameAt(path: string): string {
  return path.slice(path.lastIndexOf(PREFIX) + PREFIX.length);
}

export function sbomOf(packages: ReadonlyMap<string, LockedPackage>): object {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const entries = [...packages].filter(([path]) => path !== '');
  const root = `pkg:npm/${name}@${version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': root,
        name,
        version,
        licenses: licensesOf(license),
        purl: root,
      },
    },
    components: entries.map(([path, each]) => componentOf(path, each)),
    dependencies: [...packages].map(([path, each]) => ({
      ref: path === '' ? root : path,
      dependsOn: dependenciesOf(path, each, packages),
    })),
  };
}

function componentOf(
  path: string,
  { version = '', license = '', integrity, dev, optional }: LockedPackage,
): object {
  const name = nameAt(path);
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    scope: dev ? 'excluded' : optional ? 'optional' : 'required',
    ...(integrity && { hashes: [hashOf(integrity)] }),
    licenses: licensesOf(license),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  };
}

/** Converts `sha512-BASE64` of the lock file to the form of CycloneDX. */
function hashOf(integrity: string): object {
  const [algorithm, value] = integrity.split('-', 2) as [string, string];
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(value, 'base64').toString('hex'),
  };
}

function licensesOf(license: string): object[] {
  return / (?:AND|OR) /.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

/** Returns the paths of the packages that a package depends on, as Node finds them: the nearest folder first. */
function dependenciesOf(
  path: string,
  { dependencies, optionalDependencies }: LockedPackage,
  packages: ReadonlyMap<string, LockedPackage>,
): string[] {
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return names.map((name) => placeOf(name, path, packages)).filter((place) => place !== null);
}

function placeOf(name: string, from: string, packages: ReadonlyMap<string, LockedPackage>): string | null {
  const place = from === '' ? PREFIX + name : `${from}/${PREFIX}${name}`;
  if (packages.has(place)) return place;
  if (from === '') return null;
  return placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf(`/${PREFIX}`))), packages);
}

if (process.argv[1] === import.meta.filename) {
  process.stdout.write(`${JSON.stringify(sbomOf(lockedPackages()), null, 2)}\n`);
}
