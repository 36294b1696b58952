import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CanonicalUrl, canonicalize } from './canonical.ts';
import { createScope } from './scope.ts';
import { createUrlRules, keyOfPlan, type UrlRules, type UrlRulesConfig } from './url-rules.ts';
import { parseUrlRules } from './url-rules-config.ts';

const url = (raw: string): CanonicalUrl => canonicalize(raw)!;
const everywhere = createScope('web', [], []);

/** Returns the decision about a URL as text: `verb rule`. */
function decided(rules: unknown[], raw: string, depth = 0, more: UrlRulesConfig = {}): string {
  const { verb, rule } = createUrlRules({ rules: parseUrlRules(rules), ...more }, everywhere).decide(
    url(raw),
    depth,
  );
  return `${verb} ${rule}`;
}

test('without rules everything in scope is indexed, and nothing else is fetched', () => {
  const rules = createUrlRules({}, createScope('host', [url('https://a.example/')], []));
  assert.deepEqual(rules.decide(url('https://a.example/x'), 9), {
    verb: 'index',
    rule: 'default',
    url: 'https://a.example/x',
  });
  assert.equal(rules.decide(url('https://b.example/x'), 0).rule, 'scope');
  assert.equal(rules.decide(url('https://a.example:8443/x'), 0).verb, 'index');
});

test('a rule cannot allow a URL out of scope', () => {
  const rules = parseUrlRules([{ verb: 'index', host: 'b.example' }]);
  const scope = createScope('host', [url('https://a.example/')], []);
  assert.equal(createUrlRules({ rules }, scope).decide(url('https://b.example/'), 0).rule, 'scope');
});

/** Conditions, each with a URL that meets it and a URL that does not. */
const CONDITIONS: [object, string, string][] = [
  [{ host: 'a.example' }, 'https://a.example/x', 'https://www.a.example/x'],
  [{ host: 'a.example' }, 'https://a.example:8443/', 'https://aa.example/'],
  [{ host: 'a.example:8443' }, 'https://a.example:8443/', 'https://a.example/'],
  [{ host: 'Bücher.example' }, 'https://xn--bcher-kva.example/', 'https://buecher.example/'],
  [{ host: '[::1]:8080' }, 'http://[::1]:8080/', 'http://[::1]/'],
  [{ domain: 'a.example' }, 'https://x.y.a.example/', 'https://aa.example/'],
  [{ domain: ['b.example', 'a.example'] }, 'https://a.example/', 'https://c.example/'],
  [{ domain: '10.0.0.1' }, 'http://10.0.0.1/', 'http://110.0.0.1/'],
  [{ domain: '0.0.1' }, 'http://0.0.0.1/', 'http://10.0.0.1/'],
  [{ suffix: '.de' }, 'https://a.de/', 'https://de.a.example/'],
  [{ suffix: ['co.uk', 'fr'] }, 'https://www.a.co.uk/', 'https://a.uk/'],
  [{ language: 'de' }, 'https://a.example/de/x', 'https://a.example/x/de'],
  [{ language: 'de' }, 'https://a.example/de-AT/', 'https://a.example/den/'],
  [{ language: 'de' }, 'https://de.a.example/', 'https://a.de/'],
  [{ language: 'de' }, 'https://a.example/?x=1&lang=de', 'https://de.a.example/?lang=fr'],
  [{ language: '*' }, 'https://a.example/fr/', 'https://a.example/go/'],
  [{ prefix: 'https://a.example/x/' }, 'https://a.example/x/y', 'http://a.example/x/y'],
  [{ prefix: 'A.example/x' }, 'http://a.example/xy', 'http://a.example/y'],
  [{ prefix: 'a.example' }, 'http://a.example/y', 'http://a.example.org/y'],
  [{ prefix: '/private' }, 'https://b.example/private/1', 'https://b.example/x/private'],
  [{ pattern: '/\\d{4}/\\d{2}/' }, 'https://a.example/2024/05/x', 'https://a.example/24/05/'],
  [{ pattern: ['^x', 'sort='] }, 'https://a.example/?sort=1', 'https://a.example/'],
  [{ extension: '.ZIP' }, 'https://a.example/x.y.Zip?v=1', 'https://a.example/zip'],
  [{ extension: ['zip', 'iso'] }, 'https://a.example/x.iso', 'https://a.zip/x/y?z=a.zip'],
  [{ word: 'casino' }, 'https://a.example/my-Casino_bonus', 'https://a.example/casinos'],
  [{ word: 'größe' }, 'https://a.example/Gr%C3%B6%C3%9Fe/1', 'https://a.example/%FF'],
  [{ list: 'social' }, 'https://www.facebook.com/x', 'https://facebook.com.example/'],
  [{ list: ['social', 'adult'] }, 'https://a.xxx/', 'https://a.example/x'],
  [{ list: 'adult' }, 'https://a.example/free-porn', 'https://a.example/pornography-law'],
  [{ longerThan: 30 }, 'https://a.example/1234567890123', 'https://a.example/123456789012'],
];

for (const [condition, met, unmet] of CONDITIONS) {
  test(`a rule by ${JSON.stringify(condition)} matches ${met} and not ${unmet}`, () => {
    const rules = [{ verb: 'ignore', ...condition }];
    assert.equal(decided(rules, met), 'ignore rule 1');
    assert.equal(decided(rules, unmet), 'index default');
  });
}

test('the first rule whose conditions all match decides', () => {
  const rules = [
    { verb: 'index', prefix: 'a.example/tags/good', name: 'the good tags' },
    { verb: 'follow', host: 'a.example', prefix: '/tags/' },
    { verb: 'ignore', host: 'a.example', extension: 'pdf', deeperThan: 2 },
    { verb: 'ignore', domain: 'b.example' },
    { verb: 'index', domain: 'b.example' },
  ];
  assert.equal(decided(rules, 'https://a.example/tags/good.pdf'), 'index the good tags');
  assert.equal(decided(rules, 'https://a.example/tags/x'), 'follow rule 2');
  assert.equal(decided(rules, 'https://a.example/x.pdf', 3), 'ignore rule 3');
  assert.equal(decided(rules, 'https://a.example/x.pdf', 2), 'index default');
  assert.equal(decided(rules, 'https://www.b.example/'), 'ignore rule 4');
});

test('block lists apply whatever the rules say, and a rule with the condition list permits exceptions', () => {
  const rules = [
    { verb: 'index', domain: 'vimeo.com' },
    { verb: 'ignore', list: 'streaming' },
  ];
  const more = { lists: ['streaming', 'social'] };
  assert.equal(decided(rules, 'https://vimeo.com/1', 0, more), 'ignore list streaming');
  assert.equal(decided(rules, 'https://vimeo.com/1'), 'index rule 1');
  assert.equal(decided(rules, 'https://www.youtube.com/'), 'ignore rule 2');
  assert.equal(decided(rules, 'https://www.youtube.com/', 0, more), 'ignore list streaming');
  assert.equal(decided(rules, 'https://reddit.com/', 0, more), 'ignore list social');
  assert.equal(decided(rules, 'https://reddit.com/'), 'index default');
});

test('a list can be a file of the operator', () => {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-list-'));
  const file = join(directory, 'mine.txt');
  writeFileSync(file, '# mine\nevil.example # really\r\n\nPoker\n');
  assert.equal(decided([{ verb: 'follow', list: file }], 'https://www.evil.example/'), 'follow rule 1');
  assert.equal(decided([{ verb: 'follow', list: file }], 'https://a.example/poker'), 'follow rule 1');
  writeFileSync(file, 'evil.example\ntwo words\n');
  assert.throws(
    () => createUrlRules({ lists: [file] }, everywhere),
    /mine\.txt: line 2: expected a domain or a word, got "two words"/,
  );
  rmSync(directory, { recursive: true });
  assert.throws(() => createUrlRules({ lists: [file] }, everywhere), /cannot read the list .*mine\.txt/);
  assert.throws(
    () => createUrlRules({ lists: ['sozial'] }, everywhere),
    /unknown list "sozial": expected a file/,
  );
});

test('rules cannot override the maximum depth and length', () => {
  const limits = { maxDepth: 3, maxUrlLength: 24 };
  assert.equal(decided([{ verb: 'index' }], 'https://a.example/', 4, limits), 'ignore maxDepth');
  assert.equal(decided([{ verb: 'index' }], 'https://a.example/123456', 3, limits), 'index rule 1');
  assert.equal(decided([{ verb: 'index' }], 'https://a.example/1234567', 3, limits), 'ignore maxUrlLength');
});

test('a rule without a verb changes the query, and later rules see the changed URL', () => {
  const rules = bound([
    { host: 'a.example', query: { strip: ['ref', 'view'], sort: true } },
    { verb: 'ignore', pattern: 'ref=' },
    { verb: 'follow', host: 'a.example', query: { keep: ['id', 'b'] } },
  ]);
  const decision = rules.decide(url('https://a.example/x?view=1&id=2&c=3&ref=4&b=2&b=1'), 0);
  assert.deepEqual(decision, { verb: 'follow', rule: 'rule 3', url: 'https://a.example/x?b=2&b=1&id=2' });
  assert.equal(rules.decide(url('https://b.example/?z=1&a=2'), 0).url, 'https://b.example/?z=1&a=2');
  assert.equal(rules.decide(url('https://a.example/x?ref=1'), 0).url, 'https://a.example/x');
  const none = bound([{ query: { keep: [] } }]);
  assert.equal(none.decide(url('https://a.example/x?y=1'), 0).url, 'https://a.example/x');
});

test('the decision does not depend on earlier decisions', () => {
  const rules = bound([{ verb: 'ignore', host: 'a.example', prefix: '/x' }]);
  const asked = [
    'https://a.example/x',
    'https://b.example/x',
    'http://a.example:81/x',
    'https://a.example/y',
  ];
  const verbs = () => asked.map((raw) => rules.decide(url(raw), 0).verb);
  const first = ['ignore', 'index', 'ignore', 'index'];
  assert.deepEqual(verbs(), first);
  for (let site = 0; site < 10_001; site++) rules.decide(url(`https://s${site}.example/x`), 0);
  assert.deepEqual(verbs(), first);
});

test('the error for an invalid rule has the number of its entry', () => {
  const cases: [unknown, RegExp][] = [
    [{}, /^expected a list of rules, got \{\}$/],
    [['x'], /^rule 1: expected an object, got "x"$/],
    [[{ verb: 'index' }, { host: 'a.example' }], /^rule 2: it needs a "verb", or a "query"/],
    [[{ verb: 'allow' }], /^rule 1: "verb" is one of index, follow, ignore, got "allow"$/],
    [[{ verb: 'index', hots: 'a' }], /^rule 1: unknown key "hots"; known are name, verb, host/],
    [[{ verb: 'index', name: 3 }], /^rule 1: "name" is a text$/],
    [[{ verb: 'index', host: 'a/b' }], /^rule 1: host: "a\/b" is not the name of a host or domain$/],
    [[{ verb: 'index', domain: [] }], /^rule 1: domain: expected a text or a list of texts, got \[\]$/],
    [[{ verb: 'index', language: 'german' }], /^rule 1: language: "german" is no language/],
    [[{ verb: 'index', prefix: 'ftp:x y' }], /^rule 1: prefix: "ftp:x y" does not begin like/],
    [[{ verb: 'index', pattern: '(a' }], /^rule 1: pattern: a parenthesis is not closed$/],
    [[{ verb: 'index', word: 'a b' }], /^rule 1: word: "a b" is not one word$/],
    [[{ verb: 'index', list: 'sozial' }], /^rule 1: list: unknown list "sozial"/],
    [[{ verb: 'index', longerThan: '9' }], /^rule 1: longerThan: expected a whole number, got "9"$/],
    [[{ query: { keep: 'a', strip: 'b' } }], /^rule 1: query: give "keep" or "strip", not both$/],
    [[{ query: { sort: 'yes' } }], /^rule 1: query: "sort" is true or false$/],
  ];
  for (const [json, message] of cases) {
    assert.throws(() => parseUrlRules(json), { name: 'UsageError', message }, JSON.stringify(json));
  }
});

test('parsed rules are plain data', () => {
  const rules = parseUrlRules([{ verb: 'ignore', pattern: 'a+', query: { keep: [], sort: true } }]);
  assert.deepEqual(structuredClone(rules), rules);
});

function bound(rules: unknown[]): UrlRules {
  return createUrlRules({ rules: parseUrlRules(rules) }, everywhere);
}

test('the key of a plan changes with its rules and with the contents of its lists', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gyre-rules-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'mine.txt');
  writeFileSync(file, 'casino\n');
  const plan = { config: { lists: [file] }, scope: 'web' as const, seeds: [], domains: [] };
  const key = keyOfPlan(plan);
  assert.equal(keyOfPlan({ ...plan }), key);
  assert.notEqual(keyOfPlan({ ...plan, scope: 'host' }), key);
  writeFileSync(file, 'poker\n');
  assert.notEqual(keyOfPlan(plan), key);
});
