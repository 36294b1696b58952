/** Removals in a cluster: the list in PostgreSQL, nodes that follow it, and the work that carries it out. */

export { removalsOfCluster } from './cluster-removals.ts';
export { RemovalFollower } from './removal-follower.ts';
export { settleClusterRemovals } from './settle-cluster.ts';
