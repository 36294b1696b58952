/**
 * Provides a web of real pages to crawl. It is either a web that is being served already, described by a
 * directory with `gyre.json` and `seeds.txt` as in bench/realweb, or the documentation packages of
 * `scripts/services`. The packages are served on loopback by this process, with one host for each package.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { StaticSites } from '../test/helpers/static-sites.ts';

export interface RealWeb {
  /** The configuration of the crawl. */
  config: Record<string, Record<string, unknown>>;
  seeds: string[];
  close(): void;
}

const SERVICES = join(import.meta.dirname, '..', 'scripts', 'services');
const LOOPBACK_CONFIG = {
  contact: 'mailto:operator@docs.test',
  crawl: {
    ...{ delay: '0ms', delayFactor: 0, addressDelay: '0ms', scope: 'host' },
    ...{ resolve: { '*.docs.test': '127.0.0.1' }, allowAddresses: ['127.0.0.1'] },
  },
};

export async function openRealWeb(directory: string | undefined): Promise<RealWeb> {
  if (directory === undefined) return servePackages();
  return {
    config: JSON.parse(readFileSync(join(directory, 'gyre.json'), 'utf8')),
    seeds: readFileSync(join(directory, 'seeds.txt'), 'utf8').split(/\s+/).filter(Boolean),
    close: () => {},
  };
}

async function servePackages(): Promise<RealWeb> {
  execFileSync(SERVICES, ['ensure', 'documentation'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const folders = execFileSync(SERVICES, ['path', 'documentation'], { encoding: 'utf8' }).trim().split('\n');
  const hostOf = (folder: string) => `${basename(folder)}.docs.test`;
  const sites = await StaticSites.start(
    new Map(folders.map((folder) => [hostOf(folder), join(folder, 'usr', 'share')])),
  );
  const seeds = folders.map((folder) => sites.url(hostOf(folder), '/'));
  return {
    config: { ...LOOPBACK_CONFIG } as unknown as RealWeb['config'],
    seeds,
    close: () => sites.close(),
  };
}

/** Writes the configuration of the web with other settings of the crawl, and returns the file. */
export function writeWebConfig(
  { config }: RealWeb,
  file: string,
  crawl: Readonly<Record<string, unknown>> = {},
): string {
  writeFileSync(file, JSON.stringify({ ...config, crawl: { ...config.crawl, ...crawl } }));
  return file;
}
