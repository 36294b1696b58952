/**
 * Makes URLs ready again that an operator wants to be fetched now, or that other URL rules may allow.
 *
 *   URL of a host              -> ready, whatever its result was; the host is no longer parked
 *   refused by a URL rule      -> ready: the next visit decides with the present rules, and needs no request if they
 *                                 refuse the URL again
 *
 * A revisit keeps the last response of the URL, so unchanged pages cost one conditional request.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Directory } from '../../../base/mod.ts';
import { keysOf } from './sqlite-removals.ts';
import { STATE_FILE } from './sqlite-schema.ts';

interface Reopening {
  /** The origins of the hosts whose URLs are fetched again. */
  origins: readonly string[];
  /** True if URLs that URL rules refused get a new decision. */
  refusedByRules: boolean;
}

/**
 * Makes URLs ready in one transaction; returns their number. The caller has the crawl state open for writing, and no
 * crawler uses it yet.
 */
export function reopenUrls(directory: Directory, { origins, refusedByRules }: Reopening): number {
  const database = new DatabaseSync(join(directory.path, STATE_FILE), { timeout: 5000 });
  try {
    database.exec('BEGIN IMMEDIATE');
    const ready = `UPDATE url SET state = 'ready', attempts = 0 WHERE state <> 'ready'`;
    const ofHost = database.prepare(
      `${ready} AND fingerprint BETWEEN ? AND ? AND host = (SELECT id FROM host WHERE origin = ?)
       AND reason <> 'removed'`,
    );
    const unpark = database.prepare(
      `UPDATE host SET parked_reason = '', wait_reason = '', failures = 0, next_fetch_at = 0
       WHERE origin = ? AND parked_reason <> ''`,
    );
    let count = 0;
    for (const origin of origins) {
      count += Number(ofHost.run(...keysOf(origin), origin).changes);
      unpark.run(origin);
    }
    if (refusedByRules) {
      const ofRules = `${ready} AND state = 'refused' AND reason LIKE '{"code":"url-rule"%'`;
      count += Number(database.prepare(ofRules).run().changes);
    }
    database.exec('COMMIT');
    return count;
  } finally {
    database.close();
  }
}
