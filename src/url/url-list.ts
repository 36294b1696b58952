/**
 * Reads lists of domains and words, which URL rules can name. A list is a text file with one entry per line;
 * `#` begins a comment:
 *
 *   example.com   the domain and every host below it
 *   .example      every host below this top-level domain
 *   casino        every URL with this word, as a whole, in host, path or query
 *
 * Four small lists are shipped in `lists/`. A list applies only if a rule or the configuration names it. The
 * shipped lists contain only the best-known names; an operator who needs more names their own file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, UsageError } from '../base/mod.ts';
import type { CanonicalUrl } from './canonical.ts';
import { unescaped } from './escapes.ts';
import { readHostName } from './host-name.ts';

export const SHIPPED_LISTS = ['adult', 'shopping', 'social', 'streaming'] as const;

interface UrlList {
  readonly domains: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/**
 * Reads a list. `name` is a shipped list or the path of a file. Throws a UsageError if the list cannot be
 * read.
 */
export function readUrlList(name: string): UrlList {
  const text = readListText(name);
  try {
    return parseUrlList(text);
  } catch (cause) {
    throw badList(name, cause);
  }
}

/**
 * Returns a function that reports whether a host belongs to a domain of these lists. The words in the lists are
 * not used, because they apply to paths too: the path of a page that is only about such a word may contain it.
 */
export function readDomainLists(names: readonly string[]): (host: string) => boolean {
  const domains = new Set(names.flatMap((name) => [...readUrlList(name).domains]));
  return (host) => {
    for (let name = host; name !== ''; name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : '')
      if (domains.has(name)) return true;
    return false;
  };
}

export function readListText(name: string): string {
  const isShipped = (SHIPPED_LISTS as readonly string[]).includes(name);
  if (!isShipped && !/[./\\]/.test(name)) {
    const known = SHIPPED_LISTS.join(', ');
    throw new UsageError('unknown-list', `unknown list "${name}": expected a file or one of ${known}`);
  }
  try {
    return readFileSync(isShipped ? join(import.meta.dirname, 'lists', `${name}.txt`) : name, 'utf8');
  } catch (cause) {
    throw badList(name, cause);
  }
}

function badList(name: string, cause: unknown): UsageError {
  return new UsageError('bad-list', `cannot read the list ${name}: ${messageOf(cause)}`, { cause });
}

export function parseUrlList(text: string): UrlList {
  const domains = new Set<string>();
  const words = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const entry = line.split('#', 1)[0]!.trim().toLowerCase();
    if (entry === '') continue;
    const domain = entry.includes('.') ? readHostName(entry) : null;
    if (domain !== null) domains.add(domain);
    else if (isWord(entry)) words.add(entry);
    else throw new UsageError('bad-list', `line ${index + 1}: expected a domain or a word, got "${entry}"`);
  }
  return { domains, words };
}

/**
 * Returns true if the text consists of letters and digits of any script, like the words that `listWordsOf`
 * returns.
 */
export function isWord(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}]+$/u.test(text);
}

/** Returns the words of host, path and query of a URL in lower case. */
export function listWordsOf(url: CanonicalUrl): string[] {
  return unescaped(url.slice(url.indexOf('//') + 2))
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u);
}
