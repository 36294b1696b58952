/** The command `gyre topic`: trains topics for topical crawls, and shows what they cover. */
import { GyreError, UsageError } from '../../base/mod.ts';
import {
  type LabelledText,
  TopicClassifier,
  type TrainedTopic,
  topicOfWords,
  trainTopic,
  writeTopic,
} from '../../crawl/mod.ts';
import type { Command, Invocation } from '../arguments.ts';
import { type DataDirectory, openData, readData } from '../data-directory.ts';
import { counted, print, printJson } from '../output.ts';
import { findTexts, readLabelled } from './example-texts.ts';
import { checkTopicName, namesOfTopics, openTopic, topicsOf } from './topic-files.ts';

const ACTIONS = ['list', 'show', 'train', 'test'];
const SOURCES = ['words', 'examples', 'labelled'] as const;

export const topicCommand: Command = {
  name: 'topic',
  positionals: '[ACTION] [NAME] [URL|FILE…]',
  summary:
    'Trains topics for topical crawls (gyre crawl --topic NAME). The actions are list, show, train, and test, which shows how likely pages or files are on the topic',
  examples: [
    'gyre topic train sailing --words keel mast rudder',
    'gyre topic train sailing --labelled pages.tsv',
    'gyre topic test sailing https://example.org/boats',
  ],
  settings: [],
  flags: [
    { name: 'words', kind: 'string', value: 'WORD…', help: 'words that pages of the topic have' },
    {
      name: 'examples',
      kind: 'string',
      value: 'URL…',
      help: 'crawled pages or files on the topic; a sample of the other crawled pages shows what is not on the topic',
    },
    {
      name: 'labelled',
      kind: 'string',
      value: 'FILE',
      help: 'file with one page a line: "yes" or "no", a tab, and the URL of a crawled page, or a text',
    },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: topic,
};

async function topic({ config, flags, positionals }: Invocation): Promise<void> {
  const [action = 'list', name, ...rest] = positionals;
  if (!ACTIONS.includes(action))
    throw new UsageError('bad-action', `expected one of ${ACTIONS.join(', ')}, and a name`);
  if (action === 'list') return list(readData(config.data), flags.json === true);
  if (name === undefined) throw new UsageError('no-name', `missing name: gyre topic ${action} NAME`);
  if (action === 'train') return train(openData(config.data), name, { flags, positionals: rest });
  const data = readData(config.data);
  const found = openTopic(data.root, name);
  if (action === 'test') return test(data, found, rest, flags.json === true);
  const { source, words, onTopic, others } = found;
  if (flags.json) printJson({ name, source, words, onTopic, others });
  else print(lineOf(name, found));
}

function list({ root }: DataDirectory, isJson: boolean): void {
  const topics = namesOfTopics(root).map((name) => ({ name, topic: openTopic(root, name) }));
  if (isJson) {
    printJson({ topics: topics.map(({ name, topic: { source } }) => ({ name, source })) });
    return;
  }
  print(
    topics.length === 0
      ? 'no topic yet: gyre topic train NAME --words WORD… makes one'
      : topics.map(({ name, topic: found }) => lineOf(name, found)).join('\n'),
  );
}

function lineOf(name: string, { source, words, onTopic, others }: TrainedTopic): string {
  const origin =
    source === 'words'
      ? `the words ${words.join(', ')}`
      : `${counted(onTopic, 'text')} on the topic and ${counted(others, 'other text')}`;
  return `${name}: ${origin}`;
}

function train(
  data: DataDirectory,
  name: string,
  { flags, positionals }: Pick<Invocation, 'flags' | 'positionals'>,
): void {
  checkTopicName(name);
  const [source, ...more] = SOURCES.filter((each) => flags[each] !== undefined);
  if (source === undefined || more.length > 0)
    throw new UsageError('no-source', 'expected one of --words, --examples and --labelled');
  const given = String(flags[source]);
  if (source === 'labelled' && positionals.length > 0)
    throw new UsageError(
      'unexpected-argument',
      `--labelled takes one file, not ${positionals.join(', ')} too`,
    );
  const trained = topicFrom(data, source, [given, ...positionals]);
  writeTopic(topicsOf(data.root), name, trained);
  const { words, onTopic, others } = trained;
  if (flags.json) printJson({ name, source, words, onTopic, others });
  else print(lineOf(name, trained));
}

function topicFrom(
  data: DataDirectory,
  source: TrainedTopic['source'],
  given: readonly string[],
): TrainedTopic {
  if (source === 'words') {
    const words = given.flatMap((text) => text.split(/[\s,]+/)).filter(Boolean);
    if (words.length === 0) throw new UsageError('no-words', '--words needs at least one word');
    return { source, words, onTopic: 0, others: 0, classifier: topicOfWords(words) };
  }
  const texts = source === 'labelled' ? readLabelled(data, given[0]!) : exampleTexts(data, given);
  const onTopic = texts.filter(({ isOnTopic }) => isOnTopic).length;
  const others = texts.length - onTopic;
  return { source, words: [], onTopic, others, classifier: trainOrExplain(texts) };
}

function exampleTexts(data: DataDirectory, names: readonly string[]): LabelledText[] {
  const { texts, others } = findTexts(data, [...new Set(names)]);
  return [
    ...Array.from(texts.values(), (text) => ({ text, isOnTopic: true })),
    ...others.map((text) => ({ text, isOnTopic: false })),
  ];
}

/** Trains a classifier. Too few examples become a UsageError, which is one line for the operator. */
function trainOrExplain(texts: readonly LabelledText[]): TrainedTopic['classifier'] {
  try {
    return trainTopic(texts);
  } catch (error) {
    if (error instanceof GyreError && error.code === 'too-few-examples')
      throw new UsageError(error.code, error.message, { cause: error });
    throw error;
  }
}

function test(
  data: DataDirectory,
  { classifier }: TrainedTopic,
  names: readonly string[],
  isJson: boolean,
): void {
  if (names.length === 0) throw new UsageError('no-page', 'missing page: gyre topic test NAME URL|FILE');
  const { texts } = findTexts(data, names);
  const trained = new TopicClassifier(classifier);
  for (const name of names) {
    const relevance = Math.round(trained.relevanceOf(texts.get(name)!) * 1000) / 1000;
    if (isJson) printJson({ page: name, relevance });
    else print(`${relevance.toFixed(3)}  ${name}`);
  }
}
