/**
 * Commands about a whole cluster, from any machine that reaches its services. They join no cluster and change no schema,
 * except `gyre up --cluster`, which is a node with all roles.
 */
export { applyCommand } from './apply-settings.ts';
export { buildCluster } from './build-cluster.ts';
export { showClusterStatus } from './cluster-status.ts';
export { deadLettersCommand } from './dead-letters.ts';
export { pauseCluster } from './pause-cluster.ts';
export { removeFromCluster } from './remove-pages.ts';
export { startWholeCluster } from './start-cluster.ts';
export { stopWholeCluster } from './stop-cluster.ts';
