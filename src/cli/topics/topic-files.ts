/** Finds the topics of a data directory. They are in its folder `topics`. */
import { type Directory, UsageError } from '../../base/mod.ts';
import { type ClassifierData, readTopic, type TrainedTopic, topicNames } from '../../crawl/mod.ts';

const FOLDER = 'topics';
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

export function topicsOf(root: Directory): Directory {
  return root.directory(FOLDER);
}

/** Returns the names of all topics, without creating the folder. */
export function namesOfTopics(root: Directory): string[] {
  return root.has(FOLDER) ? topicNames(topicsOf(root)) : [];
}

export function checkTopicName(name: string): void {
  if (NAME.test(name)) return;
  throw new UsageError(
    'bad-name',
    `the name of a topic has up to 64 small letters, digits and hyphens, unlike ${JSON.stringify(name)}`,
  );
}

/** Reads a topic. Throws a UsageError that lists the names of all topics if there is none with this name. */
export function openTopic(root: Directory, name: string): TrainedTopic {
  checkTopicName(name);
  const topic = root.has(FOLDER) ? readTopic(topicsOf(root), name) : null;
  if (topic) return topic;
  const names = namesOfTopics(root);
  const known = names.length === 0 ? 'there is no topic yet' : `the topics are ${names.join(', ')}`;
  throw new UsageError('no-topic', `unknown topic ${name}: ${known}; gyre topic train ${name} makes it`);
}

/** Returns the classifier of the topic that the setting `crawl.topic` names; undefined if it is empty. */
export function classifierOf(root: Directory, name: string): ClassifierData | undefined {
  return name === '' ? undefined : openTopic(root, name).classifier;
}
