/** Creates, changes and checks accounts and API keys. The audit log names everyone who changes them. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Directory, systemClock, UsageError } from '../../base/mod.ts';
import type { Accounts, AdminRole } from '../../serve/mod.ts';
import {
  changeAccess,
  checkName,
  hasAccounts,
  readAccess,
  type StoredAccess,
  type StoredAccount,
} from './accounts-file.ts';
import { appendAudit } from './audit-log.ts';
import { hashPassword, isPasswordOf, randomPassword } from './password-hash.ts';

const FIRST = 'operator';
const KEY_PREFIX = 'gyre_';
const KEY_BYTES = 32;
const MIN_PASSWORD = 12;
/** The hash of no password. A sign-in with an unknown name takes as long as one with a wrong password. */
const NO_PASSWORD = `scrypt$15$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** The accounts of a data directory, as the server sees them. */
export function openAccounts(root: Directory): Accounts {
  const find = (name: string) => readAccess(root).accounts.find((account) => account.name === name);
  return {
    async signIn(name, password) {
      const account = find(name);
      const isRight = await isPasswordOf(password, account?.password ?? NO_PASSWORD);
      return account && isRight ? shown(account) : null;
    },
    find(name) {
      const account = find(name);
      return account ? shown(account) : null;
    },
    holderOf(key) {
      const digest = digestOf(key);
      const holder = readAccess(root).keys.find((each) => isSameDigest(each.digest, digest));
      return holder ? { name: holder.name, role: holder.role } : null;
    },
    list() {
      const { accounts, keys } = readAccess(root);
      return {
        accounts: accounts.map(({ name, role, changedAt }) => ({ name, role, since: changedAt })),
        keys: keys.map(({ name, role, createdAt }) => ({ name, role, since: createdAt })),
      };
    },
    createKey: (name, role, who) => createKey(root, name, role, who),
    revokeKey: (name, who) => revokeKey(root, name, who),
    setPassword: (name, password, who) => setPassword(root, name, password, who),
  };
}

/** `version` changes with the password and the role, so that older sessions end. */
function shown({ name, role, changedAt, password }: StoredAccount) {
  return { name, role, version: `${changedAt} ${role} ${password.slice(-8)}` };
}

export interface NewPassword {
  name: string;
  password: string;
}

/** Creates the account of the operator if there is no account yet; returns null if there is one. */
export async function createFirstAccount(root: Directory): Promise<NewPassword | null> {
  if (hasAccounts(root)) return null;
  return { name: FIRST, password: await addAccount(root, FIRST, 'operator', 'first start') };
}

/** Adds an account and returns its password, which is stored nowhere. */
export async function addAccount(
  root: Directory,
  name: string,
  role: AdminRole,
  who: string,
): Promise<string> {
  checkName(name);
  const password = randomPassword();
  const account = { name, role, password: await hashPassword(password), changedAt: systemClock.now() };
  changeAccess(root, (access) => {
    if (access.accounts.some((each) => each.name === name))
      throw new UsageError('account-exists', `there is an account "${name}" already`);
    return { ...access, accounts: [...access.accounts, account] };
  });
  audit(root, who, 'add-account', `${name} (${role})`);
  return password;
}

/** Gives an account a new password, which ends its sessions. */
async function setPassword(root: Directory, name: string, password: string, who: string): Promise<void> {
  if (password.length < MIN_PASSWORD)
    throw new UsageError('weak-password', `a password needs at least ${MIN_PASSWORD} characters`);
  const hash = await hashPassword(password);
  changeAccess(root, (access) => {
    const account = accountIn(access, name);
    const changed = { ...account, password: hash, changedAt: systemClock.now() };
    return { ...access, accounts: access.accounts.map((each) => (each === account ? changed : each)) };
  });
  audit(root, who, 'set-password', name);
}

/** Gives an account a new random password and returns it. */
export async function renewPassword(root: Directory, name: string, who: string): Promise<string> {
  const password = randomPassword();
  await setPassword(root, name, password, who);
  return password;
}

export function removeAccount(root: Directory, name: string, who: string): void {
  changeAccess(root, (access) => {
    const account = accountIn(access, name);
    return { ...access, accounts: access.accounts.filter((each) => each !== account) };
  });
  audit(root, who, 'remove-account', name);
}

/** Creates an API key and returns it. Only its digest is stored. */
export function createKey(root: Directory, name: string, role: AdminRole, who: string): string {
  checkName(name);
  const key = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
  const stored = { name, role, digest: digestOf(key), createdAt: systemClock.now() };
  changeAccess(root, (access) => {
    if (access.keys.some((each) => each.name === name))
      throw new UsageError('key-exists', `there is a key "${name}" already; revoke it first`);
    return { ...access, keys: [...access.keys, stored] };
  });
  audit(root, who, 'create-key', `${name} (${role})`);
  return key;
}

export function revokeKey(root: Directory, name: string, who: string): void {
  changeAccess(root, (access) => {
    if (!access.keys.some((each) => each.name === name))
      throw new UsageError('no-key', `there is no key "${name}"; gyre access lists the keys`);
    return { ...access, keys: access.keys.filter((each) => each.name !== name) };
  });
  audit(root, who, 'revoke-key', name);
}

function accountIn({ accounts }: StoredAccess, name: string): StoredAccount {
  const account = accounts.find((each) => each.name === name);
  if (account) return account;
  throw new UsageError('no-account', `there is no account "${name}"; gyre access lists the accounts`);
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Compares in constant time. */
function isSameDigest(stored: string, given: string): boolean {
  return stored.length === given.length && timingSafeEqual(Buffer.from(stored), Buffer.from(given));
}

function audit(root: Directory, who: string, action: string, target: string): void {
  appendAudit(root, { who, action, target }, systemClock.now());
}
