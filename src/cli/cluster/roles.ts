/**
 * The roles of `gyre node` by name. A role is loaded when it starts, because each role needs other parts of the
 * program.
 */
import { UsageError } from '../../base/mod.ts';
import type { NodeRole } from './node-role.ts';

const ROLES = new Map([
  ['crawl', loadCrawl],
  ['index', loadIndex],
  ['rank', loadRank],
  ['search', loadSearch],
  ['gateway', loadGateway],
]);

export const ROLE_NAMES: readonly string[] = [...ROLES.keys()];

/** Parses a list such as `crawl,index`. */
export function parseRoles(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !ROLES.has(name));
  if (wrong === undefined) return [...new Set(names)];
  const known = ROLE_NAMES.join(', ');
  throw new UsageError('bad-option', `--roles: expected a list of ${known}, got "${wrong}"`);
}

export async function loadRole(name: string): Promise<NodeRole> {
  return await ROLES.get(name)!();
}

async function loadCrawl(): Promise<NodeRole> {
  return (await import('./crawl-role.ts')).crawlRole;
}

async function loadIndex(): Promise<NodeRole> {
  return (await import('./index-role.ts')).indexRole;
}

async function loadRank(): Promise<NodeRole> {
  return (await import('./rank-role.ts')).rankRole;
}

async function loadSearch(): Promise<NodeRole> {
  return (await import('./search-role.ts')).searchRole;
}

async function loadGateway(): Promise<NodeRole> {
  return (await import('./gateway-role.ts')).gatewayRole;
}
