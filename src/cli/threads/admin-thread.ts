/**
 * The thread that does the work of admin routes: it inspects URLs, exports records and changes removals. All of this
 * reads files at length, which the thread that accepts connections must not do.
 */
import { ArchiveReader, exportCapturesAsWacz } from '../../archive/mod.ts';
import { serveChannel, systemClock } from '../../base/mod.ts';
import { readPoliteness } from '../../crawl/mod.ts';
import type {
  InspectRequest,
  RemovalPreview,
  RemovalRequest,
  StoredRecord,
  TakenUrl,
} from '../../serve/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { appendAudit } from '../access/mod.ts';
import { type DataDirectory, openData, readData } from '../data-directory.ts';
import { inspectUrl, politenessText, reportInspection, sourcesIn } from '../inspection/mod.ts';
import { isCrawling } from '../locks.ts';
import { stderrLog } from '../output.ts';
import {
  affectedIn,
  changeAsAsked,
  describeRemovals,
  listRemovals,
  previewRemoval,
  removalsIn,
  settleOrWait,
} from '../purging/mod.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';
import { requestFetch, takeUrls } from '../requests/mod.ts';
import type { Config } from '../settings/mod.ts';
import { PRODUCT, VERSION } from '../version.ts';

export type AdminRequest = { config: Config } & (
  | ({ kind: 'inspect' | 'report' } & InspectRequest)
  | { kind: 'fetch'; url: string; who: string }
  | { kind: 'take-urls'; urls: readonly string[]; who: string }
  | { kind: 'record'; url: string; at: string }
  | { kind: 'wacz'; pages: { url: string; title: string }[] }
  | { kind: 'politeness'; host: string }
  | { kind: 'politeness-file'; format: 'csv' | 'json' }
  | { kind: 'removals' | 'list-removals' }
  | { kind: 'preview'; targets: string[] }
  | ({ kind: 'change' } & RemovalRequest)
  | { kind: 'settle' }
);

serveChannel<AdminRequest, unknown>({
  handle: async (request) => {
    const { config } = request;
    const log = stderrLog(config);
    switch (request.kind) {
      case 'inspect':
        return inspectUrl(sourcesIn(readData(config.data), config, log), request.url, request);
      case 'report':
        return reportInspection(
          await inspectUrl(sourcesIn(readData(config.data), config, log), request.url, request),
          systemClock.now(),
        );
      case 'fetch':
        return { note: fetchNow(openData(config.data), config, request.url, request.who) };
      case 'take-urls':
        return take(openData(config.data), config, request.urls, request.who);
      case 'record':
        return recordOf(readData(config.data), request.url, request.at);
      case 'wacz':
        return waczOf(readData(config.data), request.pages);
      case 'politeness':
        return readPoliteness(readData(config.data).root, {
          isWanted: (origin) => origin.includes(request.host),
        });
      case 'politeness-file':
        return politenessText(readPoliteness(readData(config.data).root), request.format);
      case 'removals':
        return listRemovals(removalsIn(readData(config.data)));
      case 'list-removals':
        return describeRemovals(removalsIn(readData(config.data)));
      case 'preview':
        return previewOf(readData(config.data), request.targets);
      case 'change':
        return changeAsAsked(removalsIn(openData(config.data)), request);
      case 'settle':
        return settleOrWait(openData(config.data), config);
    }
  },
});

function fetchNow(data: DataDirectory, config: Config, url: string, who: string): string {
  const wanted = requestFetch(data.root, url, config);
  appendAudit(data.root, { who, action: 'fetch', target: wanted }, systemClock.now());
  return isCrawling(data.root)
    ? `${wanted} is queued: the running crawl fetches it as soon as its host permits it.`
    : `${wanted} waits for the next crawl, because no crawl is running.`;
}

async function take(
  { root }: DataDirectory,
  config: Config,
  urls: readonly string[],
  who: string,
): Promise<TakenUrl[]> {
  const taken = await takeUrls(root, urls, config);
  const accepted = taken.filter(({ status }) => status === 'accepted');
  const entry = {
    who,
    action: 'take-urls',
    target: accepted[0]?.url ?? '',
    counts: { urls: accepted.length },
  };
  if (accepted.length > 0) appendAudit(root, entry, systemClock.now());
  return taken;
}

/** Returns the newest record of a URL, or that of the time `at`. Removed pages have none. */
function recordOf({ root, archive }: DataDirectory, url: string, at: string): StoredRecord | null {
  const canonical = canonicalize(url);
  if (!canonical || !root.has('archive') || removedBy(readRemovals(root)).matches(canonical)) return null;
  const reader = new ArchiveReader(archive);
  try {
    const entry = reader.find(canonical).find(({ timestamp }) => at === '' || timestamp === at);
    if (!entry) return null;
    const { filename, offset } = entry;
    return { name: filename.replace('.', `-${offset}.`), bytes: reader.readStored(entry) };
  } finally {
    reader.close();
  }
}

async function waczOf(
  { root, archive }: DataDirectory,
  pages: readonly { url: string; title: string }[],
): Promise<Uint8Array> {
  const removed = removedBy(readRemovals(root));
  const shown = pages.filter(({ url }) => !removed.matches(url as CanonicalUrl));
  const reader = new ArchiveReader(archive);
  const parts: Uint8Array[] = [];
  const write = async (bytes: Uint8Array) => void parts.push(bytes);
  try {
    const software = `${PRODUCT} ${VERSION}`;
    await exportCapturesAsWacz({ reader, pages: shown, software, now: systemClock.now(), write });
    return Buffer.concat(parts);
  } finally {
    reader.close();
  }
}

function previewOf(data: DataDirectory, targets: readonly string[]): Promise<RemovalPreview> {
  return previewRemoval(removalsIn(data), targets, (rules) => affectedIn(data, rules));
}
