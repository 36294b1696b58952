/** The people and programs that may administer the engine, as the server sees them; `cli/access/` stores them. */

/** A `viewer` sees everything on the admin pages, and an `operator` may also change it. */
export type AdminRole = 'viewer' | 'operator';

export interface Identity {
  name: string;
  role: AdminRole;
}

export interface Account extends Identity {
  /** Changes with the password and the role of the account. A session with an older version ends. */
  version: string;
}

/** An account or an API key, without its secret. */
export interface ListedIdentity extends Identity {
  /** Time at which the password was set, or the key was created. */
  since: number;
}

export interface Accounts {
  /** Returns the account with this name and password; null if there is none. Takes about 80 ms. */
  signIn(name: string, password: string): Promise<Account | null>;
  find(name: string): Account | null;
  /** Returns the holder of an API key; null if it is unknown or revoked. */
  holderOf(key: string): Identity | null;
  list(): { accounts: ListedIdentity[]; keys: ListedIdentity[] };
  /** Creates an API key and returns it. It cannot be shown again. */
  createKey(name: string, role: AdminRole, who: string): string;
  revokeKey(name: string, who: string): void;
  setPassword(name: string, password: string, who: string): Promise<void>;
}
