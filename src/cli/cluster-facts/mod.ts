/** The state of a whole cluster as its services report it, for the commands of operators and for the API of gateways. */
export { type ClusterFacts, factsAsJson, findUnusableServices, gatherFacts } from './cluster-facts.ts';
export { openClusterTools } from './cluster-tools.ts';
export { findProblems, replicasOf } from './status-problems.ts';
