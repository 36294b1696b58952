/**
 * The sessions of people who are signed in. They are in memory only: a restart ends them. The map is keyed by digests,
 * so that a leaked copy of the memory of this process has no usable session.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/mod.ts';
import type { Account, Accounts, Identity } from '../accounts.ts';

export interface Session extends Identity {
  /** The secret that every form of this session carries. */
  readonly csrf: string;
  /** A message for the next page that the person sees, such as the result of a form. */
  notice: Notice | null;
}

interface Notice {
  kind: 'done' | 'problem';
  text: string;
}

interface StoredSession extends Session {
  version: string;
  createdAt: number;
  usedAt: number;
}

const IDLE_MS = 12 * 3_600_000;
const LONGEST_MS = 14 * 24 * 3_600_000;
const MAX_SESSIONS = 1_000;
const TOKEN_BYTES = 32;

export class Sessions {
  readonly #accounts: Pick<Accounts, 'find'>;
  readonly #clock: Clock;
  readonly #sessions = new Map<string, StoredSession>();

  constructor(accounts: Pick<Accounts, 'find'>, clock: Clock) {
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /** Starts a session and returns the token for its cookie. */
  start({ name, role, version }: Account): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const now = this.#clock.now();
    const csrf = randomBytes(TOKEN_BYTES).toString('base64url');
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size >= MAX_SESSIONS) this.#sessions.delete(oldest);
    this.#sessions.set(digestOf(token), {
      name,
      role,
      version,
      csrf,
      notice: null,
      createdAt: now,
      usedAt: now,
    });
    return token;
  }

  /**
   * Returns the session of a token; null if there is none, or if it has ended. A session ends when its account is
   * removed or changed, after 12 hours without a request, and after 14 days. `isUse` is false for work that a page
   * does without its person.
   */
  find(token: string, isUse = true): Session | null {
    const digest = digestOf(token);
    const session = this.#sessions.get(digest);
    if (!session) return null;
    const now = this.#clock.now();
    const isLate = now - session.usedAt > IDLE_MS || now - session.createdAt > LONGEST_MS;
    if (isLate || this.#accounts.find(session.name)?.version !== session.version) {
      this.#sessions.delete(digest);
      return null;
    }
    if (isUse) session.usedAt = now;
    return session;
  }

  end(token: string): void {
    this.#sessions.delete(digestOf(token));
  }
}

/** Returns true if a form carries the secret of the session. */
export function isFormOf({ csrf }: Session, sent: string | undefined): boolean {
  const [expected, given] = [Buffer.from(csrf), Buffer.from(sent ?? '')];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
