/**
 * Checks what people save as a standing query. Every function throws a UsageError that says what was expected.
 */
import { UsageError } from '../base/mod.ts';
import { parseQuery } from '../query/mod.ts';
import { readSecret } from './webhook-message.ts';

/** A request to save a query, perhaps with a webhook. */
export interface NewStandingQuery {
  /** The name for operators, unique in the data directory. */
  name: string;
  query: string;
  /** True if only pages that were not known before are reported, and no changes. */
  newOnly: boolean;
  webhook: Webhook | null;
}

export interface Webhook {
  url: string;
  /** The key that signs messages, as text; see webhook-message.ts. */
  secret: string;
}

const NAME = /^[a-z\d][a-z\d._-]{0,63}$/;
const MAX_QUERY = 1000;
const MAX_URL = 2048;
/** Fields that depend on links or on other pages, which a page does not have yet when it is new. */
const LATE_FIELD = /(?:^|[\s(+-])(link|related|inanchor):\S/i;

export function checkNew({ name, query, newOnly, webhook }: NewStandingQuery): NewStandingQuery {
  return {
    name: checkName(name),
    query: checkQuery(query),
    newOnly,
    webhook: webhook && checkWebhook(webhook),
  };
}

function checkName(name: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(
    'bad-name',
    `"${name}" is no name: expected up to 64 lower-case letters, digits, dots, dashes and underscores, such as "node-news"`,
  );
}

/** Returns the query without needless white space. */
export function checkQuery(text: string): string {
  const query = text.trim().replace(/\s+/g, ' ');
  if (query === '') throw broken('expected words or operators, such as "event loop" site:example.org');
  if (query.length > MAX_QUERY) throw broken(`expected at most ${MAX_QUERY} characters, got ${query.length}`);
  const late = LATE_FIELD.exec(query)?.[1]?.toLowerCase();
  if (late !== undefined)
    throw broken(
      `${late}: depends on other pages, so it cannot tell whether a new page matches; leave it out`,
    );
  const { condition, notes } = parseQuery(query);
  const plain = notes.find((note) => note.code === 'plain-words');
  if (plain) throw broken(`"${plain.values.text}" is not a complete operator; put it right or leave it out`);
  if (notes.some(({ code }) => code === 'only-excluding'))
    throw broken('it only excludes pages; name also what the pages must have');
  if (notes.some(({ code }) => code === 'too-many-words' || code === 'too-deep'))
    throw broken('it has more words or parentheses than a query may have; make it shorter');
  if (condition === null) throw broken('it has no word to search for');
  return query;
}

function broken(why: string): UsageError {
  return new UsageError('bad-query', `the query cannot be saved: ${why}`);
}

function checkWebhook({ url, secret }: Webhook): Webhook {
  const parsed = URL.parse(url.trim());
  const isWeb = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.hostname !== '';
  if (!isWeb || parsed.href.length > MAX_URL)
    throw new UsageError(
      'bad-webhook',
      `"${url.slice(0, 200)}" is no address for a webhook: expected one such as https://example.org/hook`,
    );
  if (parsed.username !== '' || parsed.password !== '')
    throw new UsageError(
      'bad-webhook',
      'the address of a webhook must not have a name and a password: messages are signed instead',
    );
  parsed.hash = '';
  readSecret(secret);
  return { url: parsed.href, secret };
}
