/** Prints the digest of a standing query, and notes which pages it has. */
import { writeFileSync } from 'node:fs';
import { systemClock, UsageError } from '../../base/mod.ts';
import { publicPage } from '../../standing/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { Invocation } from '../arguments.ts';
import type { DataDirectory } from '../data-directory.ts';
import { flushOutput, printJson, tell } from '../output.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';
import { inStore } from './standing-tools.ts';

const FORMATS = ['text', 'html', 'mail'] as const;
const MAIL_ADDRESS = /^[^\s<>,;:"()@]+@[^\s<>,;:"()@]+$/;

/** The digest is written before its pages are noted, so a process that is killed between loses none. */
export async function writeDigest(
  data: DataDirectory,
  name: string,
  flags: Invocation['flags'],
): Promise<void> {
  const format = FORMATS.find((each) => each === (flags.format ?? 'text'));
  if (!format)
    throw new UsageError('bad-option', `--format takes ${FORMATS.join(', ')}, got "${flags.format}"`);
  const head = { from: addressIn(flags, 'from'), to: addressIn(flags, 'to'), now: systemClock.now() };
  const removed = removedBy(readRemovals(data.root));
  const { query, digest } = inStore(data, (store) => {
    const found = store.find(name);
    return { query: found, digest: store.forDigest(found.id) };
  });
  const pages = digest.pages.filter(({ url }) => !removed.matches(url as CanonicalUrl));
  if (flags.json) printJson({ name, query: query.query, pages: pages.map(publicPage) });
  else if (pages.length === 0) return tell(`nothing new for ${name}`);
  else {
    const text = (await import('../../serve/mod.ts')).renderDigest(
      format,
      { query: query.query, pages },
      head,
    );
    if (typeof flags.out === 'string') writeFileSync(flags.out, text, { flush: true });
    else process.stdout.write(text);
  }
  await flushOutput();
  if (flags.keep !== true) inStore(data, (store) => store.markDigest(query.id, digest.lastId));
}

function addressIn(flags: Invocation['flags'], name: 'from' | 'to'): string {
  const address = flags[name];
  if (address === undefined) return '';
  if (typeof address === 'string' && MAIL_ADDRESS.test(address)) return address;
  throw new UsageError(
    'bad-option',
    `--${name} takes a mail address such as anna@example.org, got "${address}"`,
  );
}
