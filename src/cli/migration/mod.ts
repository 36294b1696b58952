/**
 * Copies the crawl of a data directory into an empty cluster, and the crawl of a stopped cluster to an empty directory:
 * captures, journal, crawl state, seeds. Index and ranks are built again from the journal. The source does not change.
 *
 *   to-cluster.ts     archive and journal in pieces of whole records, then the rows of the state
 *   from-cluster.ts   batches in the order of their commits, then the rows of the state
 *
 * Each step is stored together with the place up to which everything was copied, so a copy that was killed continues there.
 */
export { migrateCommand } from './migrate-command.ts';
