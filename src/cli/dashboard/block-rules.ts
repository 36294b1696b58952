/** The URL rules that block a whole host. Their names tell them apart from the rules that operators write. */
import type { UrlRule } from '../../url/mod.ts';

/** Returns the part of an origin by which URL rules, removals and settings name the host. */
export function authorityOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}

export function blockRule(origin: string): object {
  const host = authorityOf(origin);
  return { name: nameOf(origin), verb: 'ignore', host };
}

export function isBlocked(origin: string, rules: readonly UrlRule[]): boolean {
  return rules.some(({ name }) => name === nameOf(origin));
}

/** Returns the rules without the one that blocks the host. */
export function withoutBlock(origin: string, rules: readonly unknown[]): unknown[] {
  return rules.filter((rule) => (rule as Partial<UrlRule> | null)?.name !== nameOf(origin));
}

function nameOf(origin: string): string {
  return `blocked ${authorityOf(origin)}`;
}
