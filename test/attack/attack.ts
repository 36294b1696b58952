/**
 * An attack of the catalogue: the behaviour of a hostile host or a hostile client, at two sizes. The short
 * form is a test of `npm test`; the long form is a row of `npm run attack`.
 */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

export type Form = 'short' | 'long';

/** The size of an attack. */
export interface HostScale {
  /** Number of host names, each with its own seed. */
  hosts: number;
  /** Number of pages that the home page of each host links to. */
  pages: number;
  /** The time during which the honest host is measured, if it differs from the default. */
  seconds?: number;
}

export interface HostileHost {
  /** True for the control: it is not hostile, and the attacks are compared with it. */
  isControl?: true;
  name: string;
  /** The behaviour of the host, in one sentence. */
  what: string;
  scale: Record<Form, HostScale>;
  /** Returns the host names; by default `NAME-0.test`, `NAME-1.test` and so on. */
  hostNames?(scale: HostScale): string[];
  /** Prepares the bodies once and returns the server. */
  serve(scale: HostScale): HostileServer;
}

export type HostileServer =
  | { protocol: 'http'; handle: RequestListener }
  /**
   * For behaviour that an HTTP server cannot produce. `robots.txt` and icons return 404 before `handle` is
   * called.
   */
  | { protocol: 'raw'; handle(socket: Socket, path: string): void };

export interface HostileClient {
  /** True for the control: it is not hostile, and the attacks on the same target are compared with it. */
  isControl?: true;
  name: string;
  /** The behaviour of the client, in one sentence. */
  what: string;
  /** The program under attack, which is also probed with searches. */
  target: 'serve' | 'mcp';
  /** Settings of `serve` that the attack needs. */
  settings?: Record<string, unknown>;
  /** The duration of the measurement in the long form, if it differs from the default. */
  longSeconds?: number;
  /** Lead time of the attack before the probe begins, in the long form. */
  leadSeconds?: number;
  /** True if the attack ends after its last attempt. Other attacks run until they are stopped. */
  endsByItself?: true;
  /**
   * Attacks until `signal` is aborted, or until the last attempt. Returns a sentence for each request that
   * the server should have refused; an empty list if the attack only costs time.
   */
  attack(target: Target, form: Form, signal: AbortSignal): Promise<string[]>;
}

/** The attacked server and the relevant contents of its archive. */
export interface Target {
  port: number;
  /** Archived copies of a small PDF that is expensive to parse. */
  slowPdfs: readonly string[];
  /** An archived page of several MB. */
  largePage: string;
}
