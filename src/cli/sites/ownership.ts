/**
 * Looks for the proof that a client owns a site: a file, a line in the front page, or a DNS record. Requests go through
 * the address guard of the crawl, so that clients cannot make this machine send requests into its own network.
 */
import { resolveTxt } from 'node:dns/promises';
import { directoryAt } from '../../base/mod.ts';
import { fetchText } from '../../crawl/mod.ts';
import type { Proof } from '../../serve/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { readSettings } from '../data-directory.ts';
import { crawlOptions } from '../sessions/crawl-session.ts';
import type { Config } from '../settings/mod.ts';

const FILE = '/.well-known/gyre-owner.txt';
const NAME = 'gyre-owner';

export async function findProof(config: Config, host: string, token: string): Promise<Proof | null> {
  for (const scheme of ['https', 'http']) {
    const file = await fetchFrom(config, `${scheme}://${host}${FILE}`);
    if (file?.split(/\s+/).includes(token)) return 'file';
    const page = await fetchFrom(config, `${scheme}://${host}/`);
    if (page !== null && hasMeta(page, token)) return 'meta';
  }
  return (await hasRecord(host, token)) ? 'dns' : null;
}

/** Returns true if the key file of an IndexNow client has the key and nothing else. */
export async function hasKeyFile(config: Config, location: string, key: string): Promise<boolean> {
  return (await fetchFrom(config, location))?.trim() === key;
}

async function fetchFrom(config: Config, address: string): Promise<string | null> {
  const url = canonicalize(address);
  if (!url) return null;
  const options = crawlOptions(config, readSettings(directoryAt(config.data)));
  // A crawl whose seeds are on this machine may use loopback addresses. Proofs may not, unless the addresses are listed.
  return fetchText(url, { ...options, allowAddresses: config.crawl.allowAddresses });
}

function hasMeta(page: string, token: string): boolean {
  const metas = page.match(/<meta\s[^>]{0,500}>/gi) ?? [];
  return metas.some(
    (meta) => new RegExp(`name\\s*=\\s*["']?${NAME}["'\\s]`, 'i').test(meta) && meta.includes(token),
  );
}

async function hasRecord(host: string, token: string): Promise<boolean> {
  try {
    const records = await resolveTxt(host.replace(/:\d+$/, ''));
    return records.some((parts) => parts.join('') === `${NAME}=${token}`);
  } catch {
    // A host without such a record is an error of the resolver.
    return false;
  }
}
