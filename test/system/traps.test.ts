/**
 * Tests infinite sites (traps) with a crawl that is killed on the way. Each trap costs a bounded number of
 * requests by the log of the server, its honest pages are found, and `gyre status --traps` lists it with a
 * URL rule that stops it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import { startWeb } from '../../src/synthetic-web/server.ts';
import {
  type CanonicalUrl,
  canonicalize,
  createScope,
  createUrlRules,
  parseUrlRules,
} from '../../src/url/mod.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';

const KILL_AFTER_REQUESTS = [150, 300];

interface ReportedTrap {
  origin: string;
  kind: string;
  count: number;
  example: CanonicalUrl;
  rule: Record<string, unknown>;
}

test('traps are bounded, also across kills, and reported with the rule that stops them', async (context) => {
  const features = {
    calendarTrap: 2,
    pathTrap: 2,
    parameterTrap: 2,
    templateTrap: 2,
    sessionIds: 1,
    sessionTrap: 2,
  } as const;
  const web = await startWeb({ seed: 41, hosts: 3, pages: 30, features });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const options = crawlOptions(directory, { delay: '20ms' });
  for (const requests of KILL_AFTER_REQUESTS) {
    const crawl = new Gyre(['crawl', ...options, ...web.seeds]);
    while (web.log.length < requests && crawl.child.exitCode === null) await sleep(5);
    assert.equal((await crawl.kill('SIGKILL')).code, null, 'it was still running');
  }
  const last = await gyre(['crawl', ...options]);
  assert.equal(last.code, 0, last.stderr);

  const { truth } = web.plan;
  const { stdout } = await gyre(['status', ...options, '--traps', '--json']);
  const reported = JSON.parse(stdout).traps as ReportedTrap[];
  const asked = (host: string) => [...web.log].filter((entry) => entry.host === host).map(({ path }) => path);
  const of = (host: string) => reported.filter(({ origin }) => new URL(origin).hostname === host);

  const bounds = [
    { traps: truth.calendarTrap, kind: 'calendar', most: 90 },
    { traps: truth.pathTrap, kind: 'repeating-path', most: 60 },
    { traps: truth.parameterTrap, kind: 'facets', most: 60 },
    { traps: truth.templateTrap, kind: 'same-pages', most: 60 },
  ];
  for (const { traps, kind, most } of bounds) {
    for (const { host, prefix, honest } of traps) {
      const paths = asked(host);
      const trapped = paths.filter((path) => path.startsWith(prefix)).length;
      context.diagnostic(`${host}: ${trapped} requests into the trap`);
      assert.ok(trapped >= 3 && trapped <= most, `${host}: ${trapped} requests`);
      for (const { path } of honest) assert.ok(paths.includes(path), `${host}${path}`);
      const report = of(host).find((each) => each.kind === kind);
      assert.ok(report, `${host}: ${JSON.stringify(of(host))}`);
      const rules = rulesOf(report);
      assert.equal(rules.decide(report.example, 1).verb, 'ignore', JSON.stringify(report.rule));
      for (const { path } of honest) {
        assert.equal(rules.decide(canonicalize(web.url(host, path))!, 1).verb, 'index', path);
      }
    }
  }
  for (const { host, pages } of [...truth.sessionIds, ...truth.sessionTrap]) {
    const paths = asked(host);
    context.diagnostic(`${host}: ${paths.length} requests for ${pages.length} pages`);
    assert.ok(paths.length <= 6 * pages.length, `${host}: ${paths.length} requests`);
    const bare = new Set(paths.map((path) => path.replace(/[?;].*$/, '')));
    for (const { path } of pages) assert.ok(bare.has(path), `${host}${path}`);
  }
  for (const { host, parameter } of truth.sessionTrap) {
    const [report] = of(host);
    assert.deepEqual(report?.rule.query, { strip: [parameter] });
    assert.ok(!rulesOf(report).decide(report.example, 1).url.includes(parameter));
  }
  const text = await gyre(['status', ...options, '--traps']);
  assert.match(text.stdout, /calendar-trap-0\.test:\d+: calendar, \d+ addresses of the form \/calendar\//);
  assert.match(text.stdout, /rule to stop it: \{"verb":"ignore"/);
});

/** Returns the URL rule of a trap as an operator would copy it into the configuration. */
function rulesOf({ rule }: ReportedTrap) {
  return createUrlRules({ rules: parseUrlRules([rule]) }, createScope('web', [], []));
}
