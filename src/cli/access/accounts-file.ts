/**
 * `accounts.json` in the data directory: who may administer the engine. It has no password and no key, only their
 * hashes, and only its owner may read it.
 *
 *   {"format":1,
 *    "accounts":[{"name":"operator","role":"operator","password":"scrypt$15$8$1$…","changedAt":1767323045000}],
 *    "keys":[{"name":"monitoring","role":"viewer","digest":"SHA-256 in hexadecimal","createdAt":1767323045000}],"checksum":…}
 *
 * A key has 256 random bits, so a fast hash is enough for it. The file is read again for each request that needs it,
 * so that a change by any process applies at once.
 */
import { join } from 'node:path';
import {
  acquireLock,
  CorruptError,
  type Directory,
  parseSealedJson,
  sealJson,
  UsageError,
} from '../../base/mod.ts';
import type { AdminRole } from '../../serve/mod.ts';

const FILE = 'accounts.json';
const FORMAT = 1;
const KEYS = ['format', 'accounts', 'keys'];
const ADVICE = 'delete the file, and the next start makes a new password';
const OWNER_ONLY = 0o600;
const ROLES: readonly AdminRole[] = ['viewer', 'operator'];
const NAME = /^[a-z\d][a-z\d._-]{0,31}$/;

export interface StoredAccount {
  name: string;
  role: AdminRole;
  /** The scrypt hash of the password. */
  password: string;
  changedAt: number;
}

interface StoredKey {
  name: string;
  role: AdminRole;
  digest: string;
  createdAt: number;
}

export interface StoredAccess {
  accounts: readonly StoredAccount[];
  keys: readonly StoredKey[];
}

export function hasAccounts(root: Directory): boolean {
  return root.has(FILE);
}

export function readAccess(root: Directory): StoredAccess {
  if (!root.has(FILE)) return { accounts: [], keys: [] };
  const file = join(root.path, FILE);
  const value = parseSealedJson(root.read(FILE), { file, keys: KEYS, advice: ADVICE });
  const { format, accounts, keys } = value as unknown as StoredAccess & { format: number };
  const isValid =
    format === FORMAT &&
    Array.isArray(accounts) &&
    Array.isArray(keys) &&
    accounts.every((account) => isEntry(account, account?.password, account?.changedAt)) &&
    keys.every((key) => isEntry(key, key?.digest, key?.createdAt));
  if (!isValid) throw new CorruptError(file, 0, `accounts of format ${FORMAT}`, `format ${format}`, ADVICE);
  return { accounts, keys };
}

function isEntry(entry: Partial<StoredKey> | null, secret: unknown, time: unknown): boolean {
  const isNamed = typeof entry?.name === 'string' && ROLES.includes(entry.role!);
  return isNamed && typeof secret === 'string' && Number.isSafeInteger(time);
}

/** Replaces the file in one step. Processes that change it at the same time fail, because that is a mistake. */
export function changeAccess(root: Directory, change: (access: StoredAccess) => StoredAccess): void {
  const lock = acquireLock(root, 'accounts', 'gyre access');
  try {
    const { accounts, keys } = change(readAccess(root));
    root.replace(FILE, sealJson({ format: FORMAT, accounts, keys }), OWNER_ONLY);
  } finally {
    lock.release();
  }
}

export function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(
    'bad-name',
    `"${name}" is no name: expected up to 32 lower-case letters, digits, dots, dashes and underscores, such as "anna"`,
  );
}

export function checkRole(role: string): AdminRole {
  if (ROLES.includes(role as AdminRole)) return role as AdminRole;
  throw new UsageError('bad-role', `"${role}" is no role: expected ${ROLES.join(' or ')}`);
}
