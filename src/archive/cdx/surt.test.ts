import assert from 'node:assert/strict';
import { test } from 'node:test';
import { surtOf } from './surt.ts';

test('a URL becomes its SURT key', () => {
  const cases: [url: string, surt: string][] = [
    ['https://example.org/', 'org,example)/'],
    ['http://www.example.org:80/Path/', 'org,example)/path'],
    ['https://www2.example.org/a', 'org,example)/a'],
    ['https://user:secret@sub.example.org/a#b', 'org,example,sub)/a'],
    ['https://example.org:8443/a?b=2&a=1', 'org,example:8443)/a?a=1&b=2'],
    ['https://example.org/?', 'org,example)/'],
    ['https://bücher.example/ü', 'example,xn--bcher-kva)/%c3%bc'],
    ['http://192.0.2.1/a', '192.0.2.1)/a'],
    ['http://[2001:db8::1]/a', '[2001:db8::1])/a'],
    ['urn:uuid:1', 'urn:uuid:1'],
    ['no url\ud800', 'no%20url%ef%bf%bd'],
  ];
  for (const [url, surt] of cases) assert.equal(surtOf(url), surt, url);
});
