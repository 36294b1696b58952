/**
 * The demonstration, which `gyre up` runs when there are no seeds and no earlier crawl. The sample web is served on
 * loopback and crawled like any other site, but with a short politeness delay, because the server is our own.
 */
import { join } from 'node:path';
import { type Directory, directoryAt, type Log, UsageError } from '../base/mod.ts';
import { hasCrawlState } from '../crawl/mod.ts';
import { type SampleWeb, sampleRoots, startSampleWebThread } from '../sample/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { type DataSettings, readSettings, writeSettings } from './data-directory.ts';
import { type Config, DEFAULT_DATA } from './settings/mod.ts';

const PREFERRED_PORT = 8090;
const DELAY_MS = 10;

interface Stage {
  config: Config;
  demo: boolean;
}

/** Decides what `gyre up` does: a crawl of the seeds, the continuation of a crawl, or the demonstration. */
export function chooseStage(config: Config, seeds: readonly CanonicalUrl[]): Stage {
  const settings = readSettings(directoryAt(config.data));
  const holdsDemo = settings.samplePort !== null;
  if (seeds.length > 0 && holdsDemo) {
    throw new UsageError(
      'demo-data',
      `${config.data} has the demonstration: choose another directory for your own crawl with --data`,
    );
  }
  if (seeds.length > 0 || (settings.seeds.length > 0 && !holdsDemo)) return { config, demo: false };
  const data = config.data === DEFAULT_DATA ? join(DEFAULT_DATA, 'demo') : config.data;
  const isDemo = readSettings(directoryAt(data)).samplePort !== null;
  if (!isDemo && hasCrawlState(directoryAt(data)))
    throw new UsageError('no-seeds', `${data} has a crawl but no seeds; run gyre up SEED`);
  const crawl = { ...config.crawl, delayMs: DELAY_MS, delayFactor: 1, ...withinHost('localhost') };
  return { config: { ...config, data, crawl }, demo: true };
}

/**
 * Limits the scope of the crawl to the hosts of the sample web, so that it does not request other servers on this
 * machine. `samplePort` is the port of the sample web; if it is null, this is no demonstration, and nothing changes.
 */
export function withinSampleWeb(config: Config, samplePort: number | null): Config {
  if (samplePort === null) return config;
  return { ...config, crawl: { ...config.crawl, ...withinHost(`localhost:${samplePort}`) } };
}

function withinHost(host: string): Pick<Config['crawl'], 'scope' | 'domains'> {
  return { scope: 'host', domains: [host] };
}

/** Serves the sample web on loopback. The port is the one in gyre.json, because the crawled URLs contain it. */
export async function startDemo(root: Directory, log: Log): Promise<SampleWeb> {
  const packageRoot = join(import.meta.dirname, '..', '..');
  const roots = sampleRoots(packageRoot);
  const settings = readSettings(root);
  const start = (port: number) => startSampleWebThread({ roots, port, log });
  if (settings.samplePort !== null)
    return start(settings.samplePort).catch((cause) => portTaken(settings, cause));
  const web = await start(PREFERRED_PORT).catch(() => start(0));
  writeSettings(root, { ...settings, samplePort: web.port });
  return web;
}

/**
 * Throws an error that says which port is in use. Another port cannot be used, because the URLs in the index contain
 * this one.
 */
function portTaken({ samplePort }: DataSettings, cause: unknown): never {
  throw new UsageError(
    'sample-port',
    `port ${samplePort} of the sample web is in use: stop the other program, or choose another directory with --data`,
    { cause },
  );
}
