import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/helpers/gyre.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { recordFinder } from './apply-rules.ts';
import { findListRecords } from './list-records.ts';
import { readPageTree } from './page-tree.ts';
import { parseRecordRules, RuleError } from './record-rules.ts';
import { RuleFiles } from './rule-files.ts';
import { parseSelector, selectAll } from './selector.ts';

const URL_OF_LIST = 'https://jobs.a.org/open/' as CanonicalUrl;

const LIST = `<!doctype html><nav><ul><li><a href=/a>About</a><li><a href=/b>Blog</a><li><a href=/c>Contact</a><li><a href=/d>Data</a></ul></nav>
<main><ul class=jobs>${[1, 2, 3, 4, 5]
  .map(
    (n) => `<li class="job odd"><h2><a href="/open/${n}">Potter ${n}</a></h2><img src=p${n}.png>
  <time datetime=2026-01-0${n}>today</time> <p class=text>Makes pots of clay, number ${n}, for the kiln.</p> <b class=pay>€ 2,${n}00</b>
  <i>clay</i> <i>fire</i></li>`,
  )
  .join('\n')}</ul></main>`;

const RULES = `# the portal
site a.org
path /open/
record JobPosting
each ul.jobs > li.job
title: h2 a
url: h2 a @href   # the page of the posting
skills: i *
hiringOrganization.name = Kiln & Sons
`;

test('selectors find what a browser finds', () => {
  const root = readPageTree(
    '<div id=a class="x y"><p>1<p lang=en-gb>2<p data-k="v w">3</div><div><span><p class=x>4</span></div>',
  );
  const table: [string, string[]][] = [
    ['p', ['1', '2', '3', '4']],
    ['#a p', ['1', '2', '3']],
    ['div > p:first-child', ['1']],
    ['p:last-child', ['3', '4']],
    ['p:nth-child(2), span p', ['2', '4']],
    ['p:nth-child(odd)', ['1', '3', '4']],
    ['.x.y > p + p', ['2', '3']],
    ['p ~ [data-k~=w]', ['3']],
    ['[lang|=en]', ['2']],
    ['[data-k^="v "]', ['3']],
    ['p:not(.x):not([lang])', ['1', '3']],
    ['*.x p, div *.x', ['1', '2', '3', '4']],
  ];
  for (const [text, expected] of table) {
    const found = selectAll(parseSelector(text), root, 100).map(({ parts }) => parts[0]);
    assert.deepEqual(found, expected, text);
  }
  for (const broken of ['p >', '>> p', 'p:nth-child(x)', 'p:hover', 'p,,b!', '[a', 'a b c d e f g']) {
    assert.throws(() => parseSelector(broken), Error, broken);
  }
});

test('rules find the records of the pages of their site, with provenance', () => {
  const files = { rulesFor: () => parseRecordRules(RULES, 'jobs.rules') };
  const body = Buffer.from(LIST);
  const found = recordFinder(files)({ url: URL_OF_LIST, contentType: 'text/html', body, xRobotsTag: [] });
  assert.equal(found.length, 5);
  assert.deepEqual(found[1], {
    type: 'JobPosting',
    source: 'rule jobs.rules:4',
    properties: {
      title: ['Potter 2'],
      url: ['https://jobs.a.org/open/2'],
      skills: ['clay', 'fire'],
      'hiringOrganization.name': ['Kiln & Sons'],
    },
  });
});

test('a broken line is reported with its number', () => {
  const table: [string, number, RegExp][] = [
    ['title: h1', 1, /expected "record TYPE"/],
    ['path /a', 1, /before the first "site HOST"/],
    ['site a.org\npath a', 2, /begins with "\/"/],
    ['site a.org', 1, /neither "record TYPE" nor "list TYPE"/],
    ['site a.org\nrecord X\nsite b.org', 2, /has no property/],
    ['site a.org\nrecord X\ntitle: p:hover', 3, /":hover" is not a selector/],
    ['site a.org\nrecords X', 2, /"records" is not a rule/],
    ['site a b', 1, /is not a host/],
    ['site a.org\nlist', 2, /expected a value after "list"/],
  ];
  for (const [text, line, message] of table) {
    assert.throws(
      () => parseRecordRules(text, 'x'),
      (error) => error instanceof RuleError && error.line === line && message.test(error.message),
      text,
    );
  }
});

test('the entries of a list are recognized without rules, and menus are not', () => {
  const entries = findListRecords(readPageTree(LIST), URL_OF_LIST);
  assert.equal(entries.length, 5);
  assert.deepEqual(entries[0]!.properties, {
    name: ['Potter 1'],
    url: ['https://jobs.a.org/open/1'],
    image: ['https://jobs.a.org/open/p1.png'],
    datePublished: ['2026-01-01'],
    price: ['2,100'],
    priceCurrency: ['EUR'],
    description: ['Makes pots of clay, number 1, for the kiln.'],
  });
  const prose = `<p>${'Some words of prose with <a href=/x>a link</a> in them. '.repeat(20)}</p>`.repeat(6);
  assert.deepEqual(findListRecords(readPageTree(prose), URL_OF_LIST), []);
});

test('a changed file is in force at once, and a broken one leaves the last good rules in force', (context) => {
  const path = join(temporaryDirectory(context), 'jobs.rules');
  const write = (text: string) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  };
  const problems: string[] = [];
  let now = 0;
  const types = () => {
    now += 1000;
    return rules.rulesFor(URL_OF_LIST).flatMap(({ records }) => records.map(({ type }) => type));
  };
  write(RULES);
  const rules = new RuleFiles(
    [path],
    (problem) => problems.push(problem),
    () => now,
  );
  assert.deepEqual(types(), ['JobPosting']);
  write(RULES.replace('JobPosting', 'Offer'));
  assert.deepEqual(types(), ['Offer']);
  write('site a.org\nrecord Offer\ntitle: h2 >');
  assert.deepEqual([types(), types()], [['Offer'], ['Offer']]);
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /jobs\.rules line 3: "h2 >" ends with a combinator; the last good rules/);
  assert.throws(() => new RuleFiles([path]), /jobs\.rules line 3/);
});
