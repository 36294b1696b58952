/**
 * Merges the statements of pages to things: a posting that has three URLs and a copy on another site is one thing. It is
 * closed when all pages that state it have ended it.
 */
import type { CanonicalUrl } from '../../url/mod.ts';
import { missingSince, type PageLifetime, type PageLifetimes, type Statement } from './record-lifetimes.ts';

/**
 *   gone      the page is gone, redirects, or asks not to be indexed
 *   removed   the page no longer has the record
 *   expired   the record itself said that it ends then
 *   unlisted  no list has the page, and one had it
 */
type ClosedReason = 'gone' | 'removed' | 'expired' | 'unlisted';

export interface Lifetime {
  firstSeenAt: number;
  lastSeenAt: number;
  /** Null while the thing is open. */
  closed: { at: number; reason: ClosedReason } | null;
  /** The pages that state the thing, or have stated it. */
  urls: CanonicalUrl[];
}

export interface Thing extends Lifetime {
  /** The statement whose facts are exported. */
  best: Statement;
}

interface EndedStatement {
  statement: Statement;
  lastSeenAt: number;
  closed: Lifetime['closed'];
}

interface ThingOptions {
  /** Returns the time of the last visit that found a record; `missingAt` is when a visit did not find it. */
  lastSeenAt(key: bigint, statement: Statement, missingAt: number | null): number;
  /** The times at which lists dropped pages. */
  dropped: ReadonlyMap<bigint, number>;
  now: number;
}

/** Returns all things, each with at least one statement. */
export function thingsOn(pages: PageLifetimes, options: ThingOptions): Thing[] {
  const statements: EndedStatement[] = [];
  const groups = new Groups();
  const byPage = new Map<PageLifetime, Map<string, number>>();
  for (const [key, page] of pages) {
    const numbers = new Map<string, number>();
    byPage.set(page, numbers);
    for (const [onPage, statement] of page.statements) {
      numbers.set(onPage, statements.length);
      statements.push(endedStatement(key, page, statement, options));
    }
  }
  for (const [page, numbers] of byPage) joinMoved(groups, pages, byPage, page, numbers);
  joinByKeys(groups, statements);
  joinByText(groups, statements);
  const things = new Map<number, EndedStatement[]>();
  for (const [number, statement] of statements.entries()) {
    const root = groups.rootOf(number);
    const known = things.get(root);
    if (known) known.push(statement);
    else things.set(root, [statement]);
  }
  return [...things.values()].map(thingOf);
}

function endedStatement(
  key: bigint,
  page: PageLifetime,
  statement: Statement,
  { lastSeenAt, dropped, now }: ThingOptions,
): EndedStatement {
  const missingAt = missingSince(page, statement);
  const droppedAt = dropped.get(key);
  const ends: NonNullable<Lifetime['closed']>[] = [];
  if (missingAt !== null) ends.push({ at: missingAt, reason: page.kind === 'page' ? 'removed' : 'gone' });
  const { expiresAt } = statement;
  if (expiresAt !== null && expiresAt <= now) ends.push({ at: expiresAt, reason: 'expired' });
  ends.sort((a, b) => a.at - b.at);
  // Lists drop a page before or after it is gone, so this reason counts only if there is no other.
  if (droppedAt !== undefined) ends.push({ at: droppedAt, reason: 'unlisted' });
  const closed = ends[0] ? { at: Math.min(...ends.map(({ at }) => at)), reason: ends[0].reason } : null;
  return { statement, lastSeenAt: lastSeenAt(key, statement, missingAt), closed };
}

/** Joins the statements of a URL that has become an alias with those of the page that it is an alias of. */
function joinMoved(
  groups: Groups,
  pages: PageLifetimes,
  byPage: ReadonlyMap<PageLifetime, ReadonlyMap<string, number>>,
  { of }: PageLifetime,
  numbers: ReadonlyMap<string, number>,
): void {
  const target = of === null ? undefined : pages.get(of);
  if (!target) return;
  for (const [onPage, number] of numbers) {
    const other = byPage.get(target)?.get(onPage);
    if (other !== undefined) groups.join(number, other);
  }
}

function joinByKeys(groups: Groups, statements: readonly EndedStatement[]): void {
  const first = new Map<string, number>();
  for (const [number, { statement }] of statements.entries()) {
    for (const key of statement.identity.keys) {
      const known = first.get(key);
      if (known === undefined) first.set(key, number);
      else groups.join(known, number);
    }
  }
}

/**
 * Joins statements with the same text. If some of them have different identifiers, they are different things with the
 * same text, so only those with the same identifier, or without one, are joined.
 */
function joinByText(groups: Groups, statements: readonly EndedStatement[]): void {
  const identifiers = new Map<number, string>();
  const byText = new Map<string, number[]>();
  for (const [number, { statement }] of statements.entries()) {
    const { identifier, text } = statement.identity;
    if (identifier !== null) identifiers.set(groups.rootOf(number), identifier);
    if (text === null) continue;
    const known = byText.get(text);
    if (known) known.push(number);
    else byText.set(text, [number]);
  }
  for (const same of byText.values()) {
    const identifierOf = (number: number) => identifiers.get(groups.rootOf(number)) ?? '';
    const different = new Set(same.map(identifierOf).filter((identifier) => identifier !== ''));
    const joined = different.size <= 1 ? same : same.filter((number) => identifierOf(number) === '');
    for (const number of joined) groups.join(joined[0]!, number);
  }
}

function thingOf(statements: readonly EndedStatement[]): Thing {
  const open = statements.filter(({ closed }) => closed === null);
  const [best] = [...(open.length > 0 ? open : statements)].sort(
    ({ statement: a }, { statement: b }) =>
      b.factCount - a.factCount || a.firstSeenAt - b.firstSeenAt || (a.url < b.url ? -1 : 1),
  );
  const ends = statements.flatMap(({ closed }) => closed ?? []).sort((a, b) => b.at - a.at);
  return {
    best: best!.statement,
    firstSeenAt: Math.min(...statements.map(({ statement }) => statement.firstSeenAt)),
    lastSeenAt: Math.max(...statements.map(({ lastSeenAt }) => lastSeenAt)),
    closed: open.length > 0 ? null : ends[0]!,
    urls: [...new Set(statements.map(({ statement }) => statement.url))].sort(),
  };
}

/** Disjoint sets of numbers. */
class Groups {
  readonly #parents = new Map<number, number>();

  rootOf(number: number): number {
    let root = number;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root))
      root = parent;
    if (root !== number) this.#parents.set(number, root);
    return root;
  }

  join(one: number, other: number): void {
    const [a, b] = [this.rootOf(one), this.rootOf(other)];
    if (a !== b) this.#parents.set(Math.max(a, b), Math.min(a, b));
  }
}
