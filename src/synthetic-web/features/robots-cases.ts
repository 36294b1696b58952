/**
 * A table of robots.txt files, each with its contents and the expected verdict for some paths. Section numbers
 * refer to RFC 9309.
 *
 * `/` is allowed on every host, unless the host is closed (its robots.txt cannot be read) or the case gives
 * another verdict for `/`. Paths are written as in the request line of HTTP, with their query.
 */
import type { Verdict } from '../site.ts';

export interface RobotsCase {
  kind: string;
  file: { status: number; type?: string; body?: string | Uint8Array };
  verdicts: Record<string, Verdict>;
  crawlDelayMs?: number;
  closed?: boolean;
  /**
   * The redirects of `/robots.txt`: the number of redirects on the same host, or one redirect to another
   * host.
   */
  via?: number | 'other-host';
}

const LIMIT_BYTES = 500 * 1024;

export function robotsCases(agent: string, crawlDelayMs: number): RobotsCase[] {
  return [...ruleCases(agent), ...delayCases(crawlDelayMs), ...formCases(), ...statusCases()];
}

/** Cases for the matching of rules (RFC 9309 § 2.2). */
function ruleCases(agent: string): RobotsCase[] {
  return [
    rules('disallow-prefix', 'User-agent: *\nDisallow: /private', {
      '/public/a': 'allowed',
      '/private': 'disallowed',
      '/private/a': 'disallowed',
      '/privateer': 'disallowed',
      '/Private/a': 'allowed',
    }),
    rules('disallow-all', 'User-agent: *\nDisallow: /', { '/': 'disallowed', '/a': 'disallowed' }),
    rules('allow-override', 'User-agent: *\nDisallow: /shop/\nAllow: /shop/open/', {
      '/shop/cart': 'disallowed',
      '/shop/open/a': 'allowed',
      '/shop': 'allowed',
    }),
    rules('allow-wins-ties', 'User-agent: *\nDisallow: /same\nAllow: /same', { '/same/a': 'allowed' }),
    rules('longest-wins', 'User-agent: *\nAllow: /a\nDisallow: /a/b\nAllow: /a/b/c', {
      '/a/x': 'allowed',
      '/a/b/x': 'disallowed',
      '/a/b/c/x': 'allowed',
    }),
    rules('wildcard', 'User-agent: *\nDisallow: /*.cgi\nDisallow: /*?print=\nDisallow: /w/*/end', {
      '/tool.cgi': 'disallowed',
      '/tool.cgi?x=1': 'disallowed',
      '/tool.html': 'allowed',
      '/story?print=1': 'disallowed',
      '/story?view=1': 'allowed',
      '/w/one/two/end': 'disallowed',
      '/w/one/two': 'allowed',
    }),
    rules('anchor', 'User-agent: *\nDisallow: /*.bak$\nDisallow: /exact$', {
      '/file.bak': 'disallowed',
      '/file.bak.html': 'allowed',
      '/exact': 'disallowed',
      '/exact/a': 'allowed',
    }),
    rules('percent', 'User-agent: *\nDisallow: /caf%c3%a9/\nDisallow: /größe', {
      '/caf%C3%A9/a': 'disallowed',
      '/gr%C3%B6%C3%9Fe': 'disallowed',
      '/cafe/a': 'allowed',
    }),
    rules('agent-group', `User-agent: *\nDisallow: /\n\nUser-agent: ${agent}\nDisallow: /only-you/`, {
      '/': 'allowed',
      '/only-you/a': 'disallowed',
      '/rest': 'allowed',
    }),
    rules(
      'agent-case',
      `User-agent: ${agent.toUpperCase()}\nDisallow: /shout/\n\nUser-agent: *\nDisallow: /`,
      {
        '/': 'allowed',
        '/shout/a': 'disallowed',
      },
    ),
    rules(
      'agent-merge',
      `User-agent: ${agent}\nDisallow: /one/\n\nUser-agent: other\nDisallow: /\n\nUser-agent: ${agent}\nDisallow: /two/`,
      { '/': 'allowed', '/one/a': 'disallowed', '/two/a': 'disallowed', '/three/a': 'allowed' },
    ),
    rules(
      'agent-list',
      `User-agent: other\nUser-agent: ${agent}\nDisallow: /both/\n\nUser-agent: *\nDisallow: /`,
      {
        '/': 'allowed',
        '/both/a': 'disallowed',
      },
    ),
    rules('other-agent', 'User-agent: otherbot\nDisallow: /', { '/': 'allowed', '/a': 'allowed' }),
    rules('rules-before-agent', 'Disallow: /early/\nUser-agent: *\nDisallow: /late/', {
      '/early/a': 'allowed',
      '/late/a': 'disallowed',
    }),
  ];
}

/** Cases for Crawl-delay, which is not in the standard but which Gyre respects. */
function delayCases(crawlDelayMs: number): RobotsCase[] {
  const seconds = crawlDelayMs / 1000;
  const pages = { '/a': 'allowed', '/b': 'allowed', '/c': 'allowed' } as const;
  return [
    { ...rules('crawl-delay', `User-agent: *\nCrawl-delay: ${seconds}\nDisallow:`, pages), crawlDelayMs },
    {
      ...rules('crawl-delay-fraction', `User-agent: *\nDisallow: /x\nCrawl-delay: ${seconds / 2}`, pages),
      crawlDelayMs: crawlDelayMs / 2,
    },
  ];
}

/** Cases for the file format (RFC 9309 § 2.2, § 2.5). All these files mean that `/private/` is disallowed. */
function formCases(): RobotsCase[] {
  const text = 'User-agent: *\nDisallow: /private/\n';
  const verdicts = { '/private/a': 'disallowed', '/public/a': 'allowed' } as const;
  return [
    rules('bom', `\uFEFF${text}`, verdicts),
    rules('crlf', text.replaceAll('\n', '\r\n'), verdicts),
    rules('cr', text.replaceAll('\n', '\r'), verdicts),
    rules(
      'untidy',
      '# hello\n\n  user-AGENT :  * # all\n\n\tdisALLOW:/private/   # no\nfoo: bar\n???\n',
      verdicts,
    ),
    rules('no-final-newline', text.trimEnd(), verdicts),
    rules(
      'bad-bytes',
      Buffer.concat([Buffer.from('# caf\xe9 \x00\n', 'latin1'), Buffer.from(text)]),
      verdicts,
    ),
    rules('huge', hugeFile(), { ...verdicts, '/late/a': 'either' }),
    rules('empty', '', { '/a': 'allowed' }),
    {
      kind: 'html',
      file: { status: 200, type: 'text/html', body: '<!doctype html>\n<title>Home</title>\n<p>Welcome.\n' },
      verdicts: { '/': 'allowed', '/a': 'allowed' },
    },
  ];
}

/** Cases for the HTTP status and the redirects of robots.txt (RFC 9309 § 2.3.1). */
function statusCases(): RobotsCase[] {
  const text = 'User-agent: *\nDisallow: /private/\n';
  const verdicts = { '/private/a': 'disallowed', '/public/a': 'allowed' } as const;
  return [
    status('missing-404', 404, 'allowed'),
    status('gone-410', 410, 'allowed'),
    status('forbidden-403', 403, 'allowed'),
    { ...status('error-500', 500, 'disallowed'), closed: true },
    { ...status('unavailable-503', 503, 'disallowed'), closed: true },
    { ...status('unreachable', 0, 'disallowed'), closed: true },
    { ...rules('redirect', text, verdicts), via: 1 },
    { ...rules('redirect-chain', text, verdicts), via: 5 },
    { ...rules('redirect-other-host', text, verdicts), via: 'other-host' },
  ];
}

function rules(kind: string, body: string | Uint8Array, verdicts: Record<string, Verdict>): RobotsCase {
  return { kind, file: { status: 200, body }, verdicts: { '/': 'allowed', ...verdicts } };
}

function status(kind: string, code: number, verdict: Verdict): RobotsCase {
  return { kind, file: { status: code }, verdicts: { '/': verdict, '/a': verdict } };
}

/**
 * Returns a file that is larger than 500 KiB. A crawler must parse the first 500 KiB and may ignore the rest
 * (RFC 9309 § 2.5).
 */
function hugeFile(): string {
  let text = 'User-agent: *\nDisallow: /private/\n';
  const filler = Array.from({ length: 1000 }, (_, line) => `Disallow: /filler/${line}\n`).join('');
  while (text.length < LIMIT_BYTES + 100_000) text += filler;
  return `${text}Disallow: /late/\n`;
}
