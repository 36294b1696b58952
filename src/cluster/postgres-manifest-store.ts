/**
 * The store of a manifest in PostgreSQL: one row per index. A change is one statement, which also sends a
 * notification, so watchers read the new manifest at once and do not poll.
 *
 * The row has the bytes of `manifest.json` with their checksum. `id` and `generation` are columns, so that the
 * server compares them.
 */
import { sealJson, sleep } from '../base/mod.ts';
import { EMPTY_MANIFEST, type Manifest, type ManifestStore, parseIndexManifest } from '../index/mod.ts';
import type { ClusterDatabase, Transaction } from './database.ts';

const CHANNEL = 'gyre_manifest';
const RETRY_MS = 1_000;

/** Opens the manifest of the index `name`. The database must outlive the store. */
export function postgresManifestStore(sql: ClusterDatabase, name: string): ManifestStore {
  return {
    read: () => read(sql, name),
    compareAndSwap: (expected, next) => swapManifestRow(sql, name, expected, next),
    watch: (onChange, onFailure) => watch(sql, name, onChange, onFailure),
  };
}

async function read(sql: ClusterDatabase, name: string): Promise<Manifest> {
  const [row] = await sql<{ body: string }[]>`select body from gyre.manifests where name = ${name}`;
  return row ? parseIndexManifest(Buffer.from(row.body), `PostgreSQL, index "${name}"`) : EMPTY_MANIFEST;
}

/** Replaces a manifest by `next` if it still equals `expected`, as a statement or as a part of a transaction. */
export async function swapManifestRow(
  sql: ClusterDatabase | Transaction,
  name: string,
  expected: Manifest,
  next: Manifest,
): Promise<boolean> {
  const body = sealJson(next).toString();
  const isFirst = expected.id === EMPTY_MANIFEST.id && expected.generation === EMPTY_MANIFEST.generation;
  // Without a row the manifest reads as empty, so only a writer that expects an empty manifest inserts the row.
  const changed = isFirst
    ? sql`insert into gyre.manifests as m (name, id, generation, body)
        values (${name}, ${next.id}, ${next.generation}, ${body})
        on conflict (name) do update set id = excluded.id, generation = excluded.generation, body = excluded.body
        where m.id = ${expected.id} and m.generation = ${expected.generation} returning name`
    : sql`update gyre.manifests set id = ${next.id}, generation = ${next.generation}, body = ${body}
        where name = ${name} and id = ${expected.id} and generation = ${expected.generation} returning name`;
  const rows = await sql`with changed as (${changed}) select pg_notify(${CHANNEL}, name) from changed`;
  return rows.length === 1;
}

/**
 * Reads the manifest after the subscription has begun, again after each notification, and again after the
 * connection was lost and restored, because notifications in between are lost.
 */
function watch(
  sql: ClusterDatabase,
  name: string,
  onChange: (manifest: Manifest) => void,
  onFailure: (error: unknown) => void,
): () => void {
  const ending = new AbortController();
  let last: Manifest | null = null;
  let reading = Promise.resolve();
  const readNext = async () => {
    try {
      const manifest = await read(sql, name);
      if (ending.signal.aborted || (last?.id === manifest.id && last.generation === manifest.generation))
        return;
      last = manifest;
      onChange(manifest);
    } catch (error) {
      if (!ending.signal.aborted) onFailure(error);
    }
  };
  // Reads run one after the other, so an older manifest is never reported after a newer one.
  const enqueue = () => {
    reading = reading.then(readNext);
  };
  const subscribe = async () => {
    while (!ending.signal.aborted) {
      try {
        const { unlisten } = await sql.listen(CHANNEL, (changed) => changed === name && enqueue(), enqueue);
        ending.signal.addEventListener('abort', () => void unlisten().catch(() => {}));
        if (ending.signal.aborted) await unlisten();
        return;
      } catch (error) {
        if (!ending.signal.aborted) onFailure(error);
        await sleep(RETRY_MS, ending.signal);
      }
    }
  };
  void subscribe();
  return () => ending.abort();
}
