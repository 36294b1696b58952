/**
 * The thread that does the work of admin routes: it inspects URLs, exports records and changes removals. All of this
 * reads files at length, which the thread that accepts connections must not do.
 */
import { ArchiveReader, exportCapturesAsWacz } from '../../archive/mod.ts';
import { serveChannel, systemClock } from '../../base/mod.ts';
import type { InspectRequest, ListedRemovals, RemovalRequest, StoredRecord } from '../../serve/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { appendAudit } from '../access/mod.ts';
import { type DataDirectory, openData, readData } from '../data-directory.ts';
import { inspectUrl, reportInspection } from '../inspection/mod.ts';
import { isCrawling } from '../locks.ts';
import { stderrLog } from '../output.ts';
import { allowTargets, previewRemoval, removeTargets, settleOrWait } from '../purging/mod.ts';
import { describeTarget, isSettled, parseRemovalTarget, readRemovals, removedBy } from '../removals/mod.ts';
import { requestFetch } from '../requests/mod.ts';
import type { Config } from '../settings/mod.ts';
import { PRODUCT, VERSION } from '../version.ts';

export type AdminRequest = { config: Config } & (
  | ({ kind: 'inspect' | 'report' } & InspectRequest)
  | { kind: 'fetch'; url: string; who: string }
  | { kind: 'record'; url: string; at: string }
  | { kind: 'wacz'; pages: { url: string; title: string }[] }
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
        return inspectUrl(readData(config.data), request.url, { ...request, log });
      case 'report':
        return reportInspection(
          await inspectUrl(readData(config.data), request.url, { ...request, log }),
          systemClock.now(),
        );
      case 'fetch':
        return { note: fetchNow(openData(config.data), config, request.url, request.who) };
      case 'record':
        return recordOf(readData(config.data), request.url, request.at);
      case 'wacz':
        return waczOf(readData(config.data), request.pages);
      case 'removals':
        return removalsOf(readData(config.data));
      case 'list-removals':
        return listOf(readData(config.data));
      case 'preview':
        return previewRemoval(readData(config.data), request.targets.map(parseRemovalTarget));
      case 'change':
        return change(openData(config.data), request);
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

function removalsOf({ root }: DataDirectory): object {
  const list = readRemovals(root);
  return { settled: isSettled(list), removed: list.rules };
}

function listOf({ root }: DataDirectory): ListedRemovals {
  const list = readRemovals(root);
  const removed = list.rules.map((rule) => ({
    target: describeTarget(rule),
    removedAt: rule.removedAt,
    purge: rule.purge,
    ...(rule.because !== undefined && { because: rule.because }),
  }));
  return { isSettled: isSettled(list), removed };
}

async function change(data: DataDirectory, { action, targets, purge, who }: RemovalRequest): Promise<object> {
  const parsed = targets.map(parseRemovalTarget);
  const report =
    action === 'allow' ? allowTargets(data, parsed, who) : await removeTargets(data, parsed, { purge, who });
  const { rules, nearDuplicates, lines } = report;
  return { at: new Date(systemClock.now()).toISOString(), rules, nearDuplicates, notes: lines };
}
