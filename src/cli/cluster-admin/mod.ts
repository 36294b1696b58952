/**
 * Commands about a whole cluster, from any machine that reaches its services: `gyre status`, `gyre pause` and
 * `gyre resume` with `--cluster FILE`. They join no cluster and change no schema.
 */
export { showClusterStatus } from './cluster-status.ts';
export { pauseCluster } from './pause-cluster.ts';
