/**
 * Removes the rows of other nodes from a batch. A commit has such rows in two cases: the node has lost a vnode since
 * it fetched the pages, or a finding is about a page of another node, for example a mirror of a page of this node.
 */
import type { CrawlBatch, Discovered, FindingsBatch } from '../../crawl/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import type { HeldVnodes } from './held-vnodes.ts';
import { anyKey } from '../json-rows.ts';

interface HeldBatch {
  batch: CrawlBatch;
  /** Discovered URLs of other nodes. They must be sent to their owners before the rest of the batch is committed. */
  others: Discovered[];
}

/** Returns the batch without the rows of vnodes that the node does not hold. */
export async function keepHeldRows(
  sql: ClusterDatabase,
  held: HeldVnodes,
  batch: CrawlBatch,
): Promise<HeldBatch> {
  const { results, discovered, hosts, contents, findings } = batch;
  const isOther = await findOthers(sql, held, [
    ...results.map(({ fingerprint }) => fingerprint),
    ...(findings ? keysOf(findings) : []),
  ]);
  const isHeld = (url: CanonicalUrl) => held.holds(url);
  return {
    batch: {
      ...batch,
      results: results.filter(({ fingerprint }) => !isOther.has(fingerprint)),
      discovered: discovered.filter(({ url }) => isHeld(url)),
      hosts: hosts.filter(({ origin }) => isHeld(pageOf(origin))),
      contents: new Map([...contents].filter(([, { url }]) => isHeld(url))),
      ...(findings && { findings: heldFindings(findings, isOther, isHeld) }),
    },
    others: discovered.filter(({ url }) => !isHeld(url)),
  };
}

function heldFindings(
  { notes, verdicts, sketches, claims, reopened }: FindingsBatch,
  isOther: ReadonlySet<bigint>,
  isHeld: (url: CanonicalUrl) => boolean,
): FindingsBatch {
  const isKept = (key: bigint, value: { url: CanonicalUrl } | null) =>
    !isOther.has(key) && (value === null || isHeld(value.url));
  return {
    notes: new Map([...notes].filter(([, { origin }]) => isHeld(pageOf(origin)))),
    verdicts: new Map([...verdicts].filter(([key, verdict]) => isKept(key, verdict))),
    claims: new Map([...claims].filter(([key, claim]) => isKept(key, claim))),
    sketches: new Map([...sketches].filter(([key]) => !isOther.has(key))),
    reopened: new Set([...reopened].filter((key) => !isOther.has(key))),
  };
}

function keysOf({ verdicts, sketches, claims, reopened }: FindingsBatch): bigint[] {
  return [...verdicts.keys(), ...sketches.keys(), ...claims.keys(), ...reopened];
}

/** Returns the fingerprints of URLs whose vnode the node does not hold. */
async function findOthers(
  sql: ClusterDatabase,
  held: HeldVnodes,
  fingerprints: readonly bigint[],
): Promise<Set<bigint>> {
  const rows = await sql<{ fingerprint: string }[]>`select fingerprint from gyre.crawl_urls
    where fingerprint = ${anyKey(sql, fingerprints)} and not vnode = any (${held.numbers}::int[])`;
  return new Set(rows.map(({ fingerprint }) => BigInt(fingerprint)));
}

function pageOf(origin: string): CanonicalUrl {
  return `${origin}/` as CanonicalUrl;
}
