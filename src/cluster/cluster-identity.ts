/**
 * The name of a cluster and the number of its index shards. Both are fixed by the first node: links in RabbitMQ and
 * objects in S3 belong to the name, and the number of shards decides which documents a shard has.
 */
import type { ClusterDatabase } from './database.ts';
import { ServiceError } from './service-error.ts';
import { inTransaction } from './transaction.ts';

interface ClusterIdentity {
  name: string;
  shards: number;
}

/** Stores the identity of a new cluster. Rejects with `cluster-differs` if the database has another cluster. */
export async function checkClusterIdentity(sql: ClusterDatabase, wanted: ClusterIdentity): Promise<void> {
  const known = await inTransaction(sql, async (tx) => {
    await tx`insert into gyre.cluster (name, shards) values (${wanted.name}, ${wanted.shards})
      on conflict do nothing`;
    const [row] = await tx<ClusterIdentity[]>`select name, shards from gyre.cluster for update`;
    await tx`insert into gyre.shards (shard) select generate_series(0, ${row!.shards} - 1) on conflict do nothing`;
    return row!;
  });
  checkSame(known, wanted);
}

/**
 * Returns the identity of the cluster. Rejects with `cluster-differs` if it differs from the identity in the
 * cluster file.
 */
export async function readClusterIdentity(
  sql: ClusterDatabase,
  wanted: ClusterIdentity,
): Promise<ClusterIdentity> {
  const [known] = await sql<ClusterIdentity[]>`select name, shards from gyre.cluster`;
  if (known) checkSame(known, wanted);
  return known ?? wanted;
}

function checkSame(known: ClusterIdentity, wanted: ClusterIdentity): void {
  if (known.name === wanted.name && known.shards === wanted.shards) return;
  throw new ServiceError(
    'cluster-differs',
    'postgresql',
    false,
    `the database has the cluster "${known.name}" with ${known.shards} shards, the cluster file names "${wanted.name}" with ${wanted.shards}: correct the cluster file, or use another database`,
  );
}
