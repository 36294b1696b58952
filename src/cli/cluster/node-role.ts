/**
 * The interface of the roles of `gyre node`, and the services that a node gives them. The node has joined the cluster before a role starts,
 * and renews its lease; a role leases its own vnodes or shards.
 */
import type { BlobStore, Clock, Directory, Log } from '../../base/mod.ts';
import type { ClusterDatabase, ListenAddress, Membership, Waiting } from '../../cluster/mod.ts';
import type { RemovalFollower } from '../cluster-removals/mod.ts';
import type { NodeHealth } from '../node-health/mod.ts';
import type { Config } from '../settings/mod.ts';
import type { ClusterFile } from './cluster-file.ts';

export interface NodeContext {
  cluster: ClusterFile;
  /** The settings of the cluster file, overridden by the flags of the command line. */
  config: Config;
  /** Returns the configuration with other settings in place of those of the cluster file. */
  configOf(settings: unknown): Config;
  /** The name of this node, which no other process has. */
  node: string;
  database: ClusterDatabase;
  membership: Membership;
  /** The pages that the operator has removed. */
  removals: RemovalFollower;
  /**
   * Opens the objects of the bucket whose names begin with `prefix`. Its methods wait while S3 is unreachable.
   */
  openBlobs(prefix: string): Promise<BlobStore>;
  /** The local directory of this node. Its files are copies, and may be lost at any time. */
  directory: Directory;
  /** The time of the database server, which is the same on all nodes. */
  clock: Clock;
  log: Log;
  /** The address on which the role `search` listens. Gateways must reach it. */
  listen: ListenAddress;
  /** Collects what the roles report about themselves. */
  health: NodeHealth;
  /** Aborted when the node is asked to stop. */
  signal: AbortSignal;
  /** The arguments of `whileServicesHeal`: the log and the signal of this node. */
  waiting: Waiting;
}

export interface NodeRole {
  /**
   * Runs until the signal of the context is aborted, then finishes the work in progress, releases what it has
   * leased, and resolves. Waits while a service is unreachable. Rejects if the node cannot continue.
   */
  run(context: NodeContext): Promise<void>;
}
