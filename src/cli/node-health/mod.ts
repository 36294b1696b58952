/** Health checks and metrics of a node of a cluster, whatever its roles are. */

export { serveHealth } from './health-server.ts';
export { NodeHealth, type RoleHealth } from './node-health.ts';
