/** Files and texts that operators write: configuration, cluster file, seeds, URL rules, profiles, selectors. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readClusterFile, readSeedLines } from '../../../src/cli/cluster/cluster-file.ts';
import { loadConfig } from '../../../src/cli/settings/config.ts';
import { parseRecordRules, RuleError } from '../../../src/page/rules/record-rules.ts';
import { featureNames } from '../../../src/scoring/mod.ts';
import { parseProfile } from '../../../src/scoring/profile.ts';
import { DEFAULT_PROFILE } from '../../../src/scoring/mod.ts';
import { canonicalize, createScope, createUrlRules, parseUrlRules } from '../../../src/url/mod.ts';
import { allowRefusal, type FuzzTarget, texts } from '../target.ts';

let path = '';

function fileOf(input: Buffer): string {
  if (path === '') path = mkdtempSync(join(tmpdir(), 'gyre-fuzz-'));
  const file = join(path, 'input.json');
  writeFileSync(file, input);
  return file;
}

function close(): void {
  if (path !== '') rmSync(path, { recursive: true, force: true });
  path = '';
}

const ADDRESS = canonicalize('https://example.org/a?b=c')!;
const JSON_WORDS = [
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '-1',
  '1e999',
  '"__proto__":',
  '"constructor":',
  '"1h"',
  '"5 GiB"',
  '"auto"',
  ',',
];

export const SETTING_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'config',
    about: 'a configuration file: a configuration or a UsageError',
    seeds: () =>
      texts(
        '{"crawl":{"delay":"2s","maxBodySize":"10MiB","scope":"domain","rules":[{"ignore":{"host":"a.example"}}],"domains":["a.test"],"userAgent":"x"},"serve":{"port":8080,"publicUrl":"https://search.example/","proxies":["127.0.0.1"],"apiKeys":["a-long-key"]}}',
        '{"crawl.delay":"1s","index":{"bufferMemory":"64MiB"},"answers":{"weather":true},"serve":{"elsewhere":[{"name":"W","url":"https://w.example/?q={query}"}]}}',
      ),
    words: JSON_WORDS,
    run: (input) => allowRefusal(() => loadConfig({ file: fileOf(input), environment: {}, flags: {} })),
    close,
  },
  {
    name: 'cluster-file',
    about: 'a cluster file and its seeds: a cluster or a UsageError',
    seeds: () =>
      texts(
        '{"name":"web","postgresql":"postgres://u:p@127.0.0.1/db","rabbitmq":"amqp://127.0.0.1","s3":{"bucket":"web","endpoint":"http://127.0.0.1:9000","region":"r","accessKeyId":"a","secretAccessKey":"b"},"shards":4,"search":{"secret":"0123456789abcdef0123456789abcdef","replicas":2,"cacheSize":"1GiB"},"seeds":["https://example.org/ collection=work"],"settings":{"crawl":{"delay":"1s"}}}',
      ),
    words: JSON_WORDS,
    async run(input) {
      await allowRefusal(() => readClusterFile(fileOf(input), {}));
      await allowRefusal(() => readSeedLines(input.toString('utf8').split('\n')));
    },
    close,
  },
  {
    name: 'url-rules',
    about: 'URL rules as JSON: rules that decide about URLs, or a UsageError',
    seeds: () =>
      texts(
        '[{"ignore":{"host":["a.example"],"pattern":["/x(a|b)*$"],"extension":["zip"],"longerThan":200}},{"name":"n","follow":{"domain":"example.org","prefix":"/a","word":"b","language":"de"}},{"query":{"keep":["b"]},"host":"example.org"}]',
        '[{"index":{"suffix":["de"]}},{"query":{"drop":["utm_*"]}}]',
      ),
    words: [
      ...JSON_WORDS,
      '"pattern":',
      '"(a+)+$"',
      '"host":',
      '"query":',
      '"drop":',
      '"list":',
      '"ignore":',
      '"deeperThan":',
    ],
    run: (input) =>
      allowRefusal(() => {
        const text = input.toString('utf8');
        let json: unknown;
        try {
          json = JSON.parse(text);
        } catch {
          return;
        }
        createUrlRules({ rules: parseUrlRules(json) }, createScope('web', [], [])).decide(ADDRESS, 0);
      }),
  },
  {
    name: 'profile',
    about: 'a ranking profile: a profile or a UsageError',
    seeds: () => texts(JSON.stringify(DEFAULT_PROFILE)),
    words: JSON_WORDS,
    run: (input) => allowRefusal(() => parseProfile(input.toString('utf8'), 'profile.json', featureNames)),
  },
  {
    name: 'record-rules',
    about: 'a file of record rules with CSS selectors: rules or a RuleError',
    seeds: () =>
      texts(
        'site example.org\npath /jobs/\nrecord JobPosting\n  each main > article.card:not(.ad)\n  title: h2 a[href^="/x"]\n  url: ul li:nth-child(2n+1), #id ~ p + span @href\n  kind = job\nlist Product\n',
      ),
    words: [
      ':not(',
      ':has(',
      ':nth-child(',
      '[',
      ']',
      '=',
      '"',
      '\\',
      '>',
      '~',
      '+',
      ',',
      '*',
      '|',
      '::before',
      'record ',
      'each ',
      'site ',
      '@',
    ],
    run(input) {
      try {
        parseRecordRules(input.toString('utf8'), 'rules.txt');
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
      }
    },
  },
];
