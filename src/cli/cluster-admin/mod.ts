/**
 * Commands about a whole cluster, from any machine that reaches its services. They join no cluster and change no schema.
 */
export { applyCommand } from './apply-settings.ts';
export { showClusterStatus } from './cluster-status.ts';
export { deadLettersCommand } from './dead-letters.ts';
export { pauseCluster } from './pause-cluster.ts';
export { stopWholeCluster } from './stop-cluster.ts';
