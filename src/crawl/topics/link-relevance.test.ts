import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Page, parsePage } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { linkRelevances } from './link-relevance.ts';
import { TopicClassifier } from './topic-classifier.ts';
import { topicOfWords } from './train-topic.ts';

const SAILING = new TopicClassifier(topicOfWords(['keel', 'mast']));
const FAR = 'https://a.test/x' as CanonicalUrl;

function page(body: string): Page {
  const url = 'https://a.test/' as CanonicalUrl;
  return parsePage({ url, contentType: 'text/html', body: Buffer.from(body), xRobotsTag: [] })!;
}

test('the text of a link, the text around it and the words of its URL raise its relevance', () => {
  const filler = 'This is about other things. '.repeat(10);
  const links = `<p><a href="/x">a picture</a></p><p>${filler}</p><p><a href="/y">a mast</a></p><p>${filler}</p>
    <p>About the keel: <a href="/z">more</a></p><p>${filler}</p>`;
  const relevanceOf = linkRelevances(page(links), 0, SAILING);
  const [plain, named, near, inUrl] = ['x', 'y', 'z', 'new-mast.html'].map((path) =>
    relevanceOf(`https://a.test/${path}` as CanonicalUrl),
  );
  assert.ok(named! > plain! && near! > plain! && inUrl! > plain!, `${[plain, named, near, inUrl]}`);
});

test('relevance decays along pages that are not on the topic, and a page on the topic renews it', () => {
  const dull = page('<p>Nothing about boats.</p><p><a href="/x">next</a></p>');
  const boats = page('<p>A mast on a keel.</p><p><a href="/x">next</a></p>');
  const afterTopic = linkRelevances(boats, 1, SAILING)(FAR);
  const afterOne = linkRelevances(dull, afterTopic, SAILING)(FAR);
  const afterTwo = linkRelevances(dull, afterOne, SAILING)(FAR);
  const never = linkRelevances(dull, 0, SAILING)(FAR);
  assert.ok(
    afterTopic > afterOne && afterOne > afterTwo && afterTwo > never,
    `${[afterTopic, afterOne, afterTwo, never]}`,
  );
  assert.equal(linkRelevances(boats, afterTwo, SAILING)(FAR), afterTopic);
});
