/** `gyre remove --cluster FILE`, from any machine that reaches PostgreSQL. */
import { removalsOfCluster } from '../cluster-removals/mod.ts';
import type { RemovalPlace } from '../purging/mod.ts';
import { withCluster } from './with-cluster.ts';

/** Calls `change` with the removals of the cluster. Its nodes carry the change out. */
export async function removeFromCluster(
  file: string,
  change: (place: RemovalPlace) => Promise<void>,
): Promise<void> {
  await withCluster(file, (database) => change(removalsOfCluster(database, file)));
}
