/**
 * Defines attacks: the behaviour of a hostile host or a hostile client. An attack has two sizes. The short
 * form is a test of `npm test`; the long form is a row of the table of `npm run attack`.
 */
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

export type Form = 'short' | 'long';

export interface HostScale {
  /** The number of host names. Each has its own seed. */
  hosts: number;
  /** The number of pages to which the home page of each host links. */
  pages: number;
  /** The number of seconds for which the honest host is measured, if it differs from the default. */
  seconds?: number;
}

export interface HostileHost {
  /** True for the control, which is not hostile. The attacks are compared with it. */
  isControl?: true;
  name: string;
  /** A sentence that describes the behaviour of the host. */
  what: string;
  scale: Record<Form, HostScale>;
  /** Returns the host names; by default `NAME-0.test`, `NAME-1.test` and so on. */
  hostNames?(scale: HostScale): string[];
  /** Prepares the bodies of all responses once, and returns the server. */
  serve(scale: HostScale): HostileServer;
}

export type HostileServer =
  | { protocol: 'http'; handle: RequestListener }
  /**
   * A server for behaviour that an HTTP server cannot produce. Requests for `robots.txt` and icons get 404
   * without a call of `handle`.
   */
  | { protocol: 'raw'; handle(socket: Socket, path: string): void };

export interface HostileClient {
  /** True for the control, which is not hostile. The attacks on the same target are compared with it. */
  isControl?: true;
  name: string;
  /** A sentence that describes the behaviour of the client. */
  what: string;
  /** The program under attack. It is also probed with searches. */
  target: 'serve' | 'mcp';
  /** The settings of `serve` that the attack needs. */
  settings?: Record<string, unknown>;
  /** The duration of the measurement of the long form in seconds, if it differs from the default. */
  longSeconds?: number;
  /** The time in seconds for which the long form attacks before the probe begins. */
  leadSeconds?: number;
  /** True if the attack ends after its last attempt. Other attacks run until they are stopped. */
  endsByItself?: true;
  /**
   * Attacks until `signal` is aborted, or until the last attempt. Returns a sentence for each request that
   * the server should have refused; an empty list if the attack only costs time.
   */
  attack(target: Target, form: Form, signal: AbortSignal): Promise<string[]>;
}

/** The attacked server, and pages in its archive that attacks use. */
export interface Target {
  port: number;
  /** The URLs of archived copies of a small PDF that is expensive to parse. */
  slowPdfs: readonly string[];
  /** The URL of an archived page of several MB. */
  largePage: string;
}
