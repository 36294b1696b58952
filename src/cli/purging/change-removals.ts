/**
 * Changes the list of removals for an operator, and makes sure that the change is carried out.
 *
 *   list of removals -> audit log -> this process settles it, or the process that holds the locks does
 */
import { sleep, systemClock, UsageError } from '../../base/mod.ts';
import {
  type CrawlState,
  documentOf,
  findRemovedRows,
  hasCrawlState,
  openCrawlState,
  otherNames,
} from '../../crawl/mod.ts';
import type { ListedRemovals, RemovalPreview, RemovalRequest } from '../../serve/mod.ts';
import { type CanonicalUrl, fingerprint, isEntryUrl } from '../../url/mod.ts';
import { type AuditEntry, appendAudit } from '../access/mod.ts';
import { commandFor } from '../advice.ts';
import type { DataDirectory } from '../data-directory.ts';
import { ifFree, lockCrawl, lockIndex } from '../locks.ts';
import { stderrLog } from '../output.ts';
import {
  changeRemovals,
  describeTarget,
  hasRule,
  isSettled,
  parseRemovalTarget,
  type RemovalList,
  type RemovalRule,
  type RemovalTarget,
  RemovedUrls,
  readRemovals,
  removedBy,
  withoutRule,
  withRules,
} from '../removals/mod.ts';
import type { Config } from '../settings/mod.ts';
import { documentsOf, nearDuplicatesIn } from './near-duplicates.ts';
import { hideDocuments, type SettleCounts, settleRemovals } from './settle-removals.ts';

/**
 * Time to wait for the process that holds the locks. `gyre up` settles a list within seconds, unless it has to purge
 * a large archive.
 */
const WAIT_MS = 30_000;
const RETRY_MS = 250;

export interface RemovalChange {
  /** The rules that were added or removed, as text. */
  rules: string[];
  /** URLs of the crawl that are not removed although they have nearly the same content. */
  nearDuplicates: string[];
  /** Sentences about the change, for the operator. */
  lines: string[];
}

/** The store of the removals of a data directory or of a whole cluster. */
export interface RemovalPlace {
  read(): Promise<RemovalList>;
  /** Replaces the list in one step. */
  change(change: (list: RemovalList) => RemovalList): Promise<RemovalList>;
  audit(entry: AuditEntry): Promise<void>;
  /** Calls `use` with the crawl state; with null if there was no crawl. */
  withCrawl<T>(use: (state: CrawlState | null) => Promise<T>): Promise<T>;
  /** Returns the URLs of near duplicates of removed URLs that are not removed themselves. */
  nearDuplicates(rules: readonly RemovalTarget[]): Promise<string[]>;
  /** The command that lists the removals, for advice. */
  listCommand: string;
}

/** Adds the targets, and the other URLs of their documents, to the list of removals. */
export async function removeTargets(
  place: RemovalPlace,
  targets: readonly RemovalTarget[],
  { purge, who }: { purge: boolean; who: string },
): Promise<RemovalChange> {
  const { rules, lines } = await rulesFor(place, targets, purge);
  const nearDuplicates = await place.nearDuplicates(rules);
  for (const url of nearDuplicates)
    lines.push(`  ${url} stays, but has nearly the same content: remove it too if it must go`);
  await place.change((list) => withRules(list, rules));
  for (const target of targets)
    await place.audit({ who, action: 'remove', target: describeTarget(target), purge, rules: rules.length });
  return { rules: rules.map(describeTarget), nearDuplicates, lines };
}

/** The pages that a removal would concern. */
export type AffectedPages = Omit<RemovalPreview, 'rules'>;

/**
 * Returns what `removeTargets` would remove, and changes nothing. `findAffected` finds the pages that the rules cover.
 */
export async function previewRemoval(
  place: RemovalPlace,
  targets: readonly string[],
  findAffected: (rules: readonly RemovalTarget[]) => Promise<AffectedPages>,
): Promise<RemovalPreview> {
  const { rules } = await rulesFor(place, targets.map(parseRemovalTarget), false);
  return { rules: rules.map(describeTarget), ...(await findAffected(rules)) };
}

const MAX_EXAMPLES = 10;

/** Finds affected pages in a data directory. Cost: examines the URLs of the affected hosts. */
export async function affectedIn(
  data: DataDirectory,
  rules: readonly RemovalTarget[],
): Promise<AffectedPages> {
  const removed = new RemovedUrls(rules);
  const documents = documentsOf(data.index, removed);
  const rows = hasCrawlState(data.root) ? findRemovedRows(data.root, removed) : [];
  const examples = documents.length > 0 ? documents : rows.map(({ url }) => url);
  return { documents: documents.length, urls: rows.length, examples: examples.slice(0, MAX_EXAMPLES) };
}

/** Returns the rules for the targets and for the other URLs of their documents, and sentences about them. */
async function rulesFor(
  place: RemovalPlace,
  targets: readonly RemovalTarget[],
  purge: boolean,
): Promise<{ rules: RemovalRule[]; lines: string[] }> {
  const rules: RemovalRule[] = [];
  const lines: string[] = [];
  for (const target of targets) {
    const rule = { ...target, removedAt: systemClock.now(), purge: purge ? 'pending' : 'no' } as const;
    rules.push(rule);
    lines.push(`${describeTarget(target)} is removed: it is not found, and never crawled or imported again`);
    if (target.kind !== 'url') continue;
    const { aliases, note } = await sameDocument(place, target.value as CanonicalUrl);
    lines.push(...note);
    for (const { url, reason } of aliases) {
      rules.push({ ...rule, value: url, because: target.value });
      lines.push(`  ${url} is removed too: it is a URL of the same document (${reason})`);
    }
  }
  return { rules, lines };
}

interface Document {
  aliases: { url: CanonicalUrl; reason: string }[];
  note: string[];
}

/** Returns the other URLs of the document of this URL, and notes about the URL for the operator. */
function sameDocument(place: RemovalPlace, url: CanonicalUrl): Promise<Document> {
  const note: string[] = [];
  if (isEntryUrl(url) && new URL(url).pathname === '/')
    note.push(`  this is only the start page; gyre remove ${new URL(url).host} removes the whole host`);
  const unknown = `  ${url} is not known to this crawl; it is blocked from now on`;
  return place.withCrawl(async (state) => {
    if (!state) return { aliases: [], note: [...note, unknown] };
    if ((await state.urlOf(fingerprint(url))) === null) note.push(unknown);
    const document = await documentOf(state, url);
    const names = (await otherNames(state, document)).map((name) => ({ url: name.url, reason: name.kind }));
    const all = [{ url: document, reason: 'the document itself' }, ...names];
    return { aliases: all.filter((alias) => alias.url !== url), note };
  });
}

/** Cancels removals. Throws a UsageError if the list has no rule for exactly this target. */
export async function allowTargets(
  place: RemovalPlace,
  targets: readonly RemovalTarget[],
  who: string,
): Promise<RemovalChange> {
  const list = await place.read();
  for (const target of targets) {
    if (hasRule(list, target)) continue;
    throw new UsageError(
      'not-removed',
      `${describeTarget(target)} is not removed: ${place.listCommand} prints what is`,
    );
  }
  const next = await place.change((now) => targets.reduce(withoutRule, now));
  const left = removedBy(next);
  const lines: string[] = [];
  for (const target of targets) {
    await place.audit({ who, action: 'allow', target: describeTarget(target) });
    const isStill = target.kind === 'url' && left.matches(target.value as CanonicalUrl);
    const what = isStill ? 'but another rule still covers it' : 'the next crawl fetches it again';
    lines.push(`${describeTarget(target)} is allowed again; ${what}`);
  }
  return { rules: targets.map(describeTarget), nearDuplicates: [], lines };
}

/** Returns the removals of a data directory. */
export function removalsIn(data: DataDirectory): RemovalPlace {
  const { root, index } = data;
  return {
    read: async () => readRemovals(root),
    change: async (change) => changeRemovals(root, change),
    audit: async (entry) => appendAudit(root, entry, systemClock.now()),
    withCrawl: async (use) => {
      if (!hasCrawlState(root)) return await use(null);
      const state = openCrawlState(root, { readOnly: true });
      try {
        return await use(state);
      } finally {
        state.close();
      }
    },
    nearDuplicates: async (rules) => nearDuplicatesIn(index, rules),
    listCommand: commandFor('remove --list', root.path),
  };
}

/** Changes the list as a request of the admin API asks. Returns the report for its client. */
export async function changeAsAsked(
  place: RemovalPlace,
  { action, targets, purge, who }: RemovalRequest,
): Promise<object> {
  const parsed = targets.map(parseRemovalTarget);
  const report =
    action === 'allow'
      ? await allowTargets(place, parsed, who)
      : await removeTargets(place, parsed, { purge, who });
  const { rules, nearDuplicates, lines } = report;
  return { at: new Date(systemClock.now()).toISOString(), rules, nearDuplicates, notes: lines };
}

/** Returns the list for clients of the admin API. */
export async function listRemovals(place: RemovalPlace): Promise<object> {
  const list = await place.read();
  return { settled: isSettled(list), removed: list.rules };
}

/** Returns the list for the admin pages. */
export async function describeRemovals(place: RemovalPlace): Promise<ListedRemovals> {
  const list = await place.read();
  const removed = list.rules.map((rule) => ({
    target: describeTarget(rule),
    removedAt: rule.removedAt,
    purge: rule.purge,
    ...(rule.because !== undefined && { because: rule.because }),
  }));
  return { isSettled: isSettled(list), removed };
}

/**
 * How far a removal is carried out. `settled`: all data reflect the list. `hidden`: searches do not find the
 * pages, and a running crawl requests none of them; the rest waits for the end of that crawl. `waiting`:
 * another process uses the index.
 */
export type RemovalOutcome =
  | { state: 'settled'; counts: SettleCounts | null }
  | { state: 'hidden' }
  | { state: 'waiting' };

/**
 * Settles the list in this process. If another process holds both locks, as `gyre up` does, waits until it has
 * settled the list. If another process only crawls, hides the documents and leaves the rest to that process.
 */
export async function settleOrWait(data: DataDirectory, config: Config): Promise<RemovalOutcome> {
  const options = { config, log: stderrLog(config) };
  const until = Date.now() + WAIT_MS;
  for (;;) {
    if (isSettled(readRemovals(data.root))) return { state: 'settled', counts: null };
    const crawl = ifFree(() => lockCrawl(data.root));
    const index = ifFree(() => lockIndex(data.root));
    try {
      if (crawl && index) return { state: 'settled', counts: await settleRemovals(data, options) };
      if (index) {
        await hideDocuments(data, removedBy(readRemovals(data.root)), options);
        return { state: 'hidden' };
      }
    } finally {
      index?.release();
      crawl?.release();
    }
    if (Date.now() > until) return { state: 'waiting' };
    await sleep(RETRY_MS);
  }
}
