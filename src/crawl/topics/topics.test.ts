import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '../../base/mod.ts';
import { TopicClassifier } from './topic-classifier.ts';
import { readTopic, type TrainedTopic, topicNames, writeTopic } from './topic-format.ts';
import { topicOfWords, trainTopic } from './train-topic.ts';

const FILLER = 'the of and which would have been there with some other words that say little about anything';

test('a topic of words covers link texts and pages with them, and not a page with one of them in passing', () => {
  const sailing = new TopicClassifier(topicOfWords(['keel', 'Mast']));
  assert.ok(sailing.relevanceOf('a broken mast') > 0.5);
  assert.ok(sailing.relevanceOf('a broken oven') < 0.5);
  const page = (passages: number) => ({ title: 'Notes', text: `${`${FILLER} `.repeat(passages)} keel` });
  assert.ok(sailing.relevanceOfPage(page(4)) > 0.5);
  assert.ok(sailing.relevanceOfPage(page(40)) < 0.5);
});

test('a trained topic distinguishes texts by words of its examples', () => {
  const numbers = [1, 2, 3, 4, 5];
  const texts = [
    ...numbers.map((number) => ({ text: `${FILLER} keel mast rudder ${number}`, isOnTopic: true })),
    ...numbers.map((number) => ({ text: `${FILLER} oven dough yeast ${number}`, isOnTopic: false })),
  ];
  const sailing = new TopicClassifier(trainTopic(texts));
  assert.ok(sailing.relevanceOf('the rudder and the keel') > 0.9);
  assert.ok(sailing.relevanceOf('dough in the oven') < 0.1);
  assert.equal(sailing.relevanceOf('unknown'), 0.5);
});

test('a topic with too few examples says how many it needs', () => {
  const few = Array.from({ length: 4 }, () => ({ text: 'keel', isOnTopic: true }));
  assert.throws(() => trainTopic(few), /at least 5 texts that are on the topic, and has 4/);
  const enough = [...few, ...few].map(({ text }) => ({ text, isOnTopic: true }));
  assert.throws(() => trainTopic(enough), /at least 5 texts that are not on the topic, and has 0/);
});

test('a topic file is read as it was written, and a damaged one is refused', (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-topics-'));
  t.after(() => rmSync(path, { recursive: true }));
  const directory = openDirectory(path);
  const classifier = topicOfWords(['keel']);
  const topic: TrainedTopic = { source: 'words', words: ['keel'], onTopic: 0, others: 0, classifier };
  writeTopic(directory, 'sailing', topic);
  assert.deepEqual(topicNames(directory), ['sailing']);
  assert.deepEqual(readTopic(directory, 'sailing'), topic);
  assert.equal(readTopic(directory, 'baking'), null);
  const bytes = directory.read('sailing.topic');
  bytes[20]! ^= 1;
  directory.replace('sailing.topic', bytes);
  assert.throws(() => readTopic(directory, 'sailing'), /expected checksum/);
});
