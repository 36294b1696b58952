/**
 * A topic file, `topics/NAME.topic`: the classifier of a topic, and what it was trained with. It is sealed (magic
 * GYTO); its body is:
 *
 *   source   text     "words", "examples" or "labelled"
 *   words    text     the words of the topic, separated by spaces; empty if the source is not "words"
 *   onTopic  varint   number of texts on the topic that it was trained with; 0 for words
 *   others   varint   number of texts on other topics
 *   bias     f32
 *   count    varint   number of features with a weight
 *   weights  count times, in ascending order of the features:
 *     gap    varint   the feature minus the previous feature; the first feature minus 0
 *     weight f32
 *
 * A feature is the hash of a word modulo 65,536 (topic-features.ts).
 *
 * Example: the topic of one word "keel" whose feature is 300, with the bias -2 and the weight 4, is
 *
 *   47 59 54 4F  01 00 00 00  05 words  04 keel  00  00  00 00 00 C0  01  AC 02  00 00 80 40  and the checksum
 */
import {
  ByteReader,
  ByteWriter,
  CorruptError,
  type Directory,
  type FileKind,
  readSealed,
  writeSealed,
} from '../../base/mod.ts';
import { type ClassifierData, emptyWeights } from './topic-classifier.ts';
import { BUCKETS } from './topic-features.ts';

const KIND: FileKind = { magic: 'GYTO', version: 1 };
const SUFFIX = '.topic';
const SOURCES = ['words', 'examples', 'labelled'] as const;

export interface TrainedTopic {
  source: (typeof SOURCES)[number];
  /** The words of the topic, if its source is `words`. */
  words: readonly string[];
  /** The number of texts on the topic, and on other topics, that the classifier was trained with. */
  onTopic: number;
  others: number;
  classifier: ClassifierData;
}

/** Returns the names of all topics in ascending order. */
export function topicNames(directory: Directory): string[] {
  const names = directory.list().filter((file) => file.endsWith(SUFFIX));
  return names.map((file) => file.slice(0, -SUFFIX.length)).sort();
}

export function writeTopic(directory: Directory, name: string, topic: TrainedTopic): void {
  const { bias, weights } = topic.classifier;
  const writer = new ByteWriter();
  writer.text(topic.source);
  writer.text(topic.words.join(' '));
  writer.varint(topic.onTopic);
  writer.varint(topic.others);
  writer.f32(bias);
  const used = [...weights.keys()].filter((bucket) => weights[bucket] !== 0);
  writer.varint(used.length);
  let previous = 0;
  for (const bucket of used) {
    writer.varint(bucket - previous);
    writer.f32(weights[bucket]!);
    previous = bucket;
  }
  writeSealed(directory, name + SUFFIX, KIND, writer.view());
}

/** Reads a topic; returns null if there is no topic with this name. */
export function readTopic(directory: Directory, name: string): TrainedTopic | null {
  const file = name + SUFFIX;
  if (!directory.has(file)) return null;
  const reader = new ByteReader(readSealed(directory, file, KIND), file);
  const text = reader.text();
  const source = SOURCES.find((each) => each === text);
  if (!source) throw new CorruptError(file, 0, SOURCES.join(', '), JSON.stringify(text));
  const words = reader.text().split(' ').filter(Boolean);
  const [onTopic, others, bias] = [reader.varint(), reader.varint(), reader.f32()];
  const weights = emptyWeights();
  let bucket = 0;
  for (let left = reader.varint(); left > 0; left--) {
    bucket += reader.varint();
    if (bucket >= BUCKETS)
      throw new CorruptError(file, reader.at, `a feature below ${BUCKETS}`, String(bucket));
    weights[bucket] = reader.f32();
  }
  return { source, words, onTopic, others, classifier: { bias, weights } };
}
