/**
 * Compares two classifiers of topics on the pages of the synthetic web's feature `topic`: the naive Bayes of the crawl,
 * and logistic regression on the same hashed words. Both are trained with the same few examples, and
 * classify the other pages, and snippets of a few words as they surround a link.
 *
 *   accuracy   mean of the shares of correctly classified texts of both classes
 *   loss       mean logarithmic loss in bits; 1 is that of a classifier that always says one half
 */
import { Random } from '../../src/base/mod.ts';
import { emptyWeights, TopicClassifier } from '../../src/crawl/topics/topic-classifier.ts';
import { wordFeaturesOf } from '../../src/crawl/topics/topic-features.ts';
import { type LabelledText, trainTopic } from '../../src/crawl/topics/train-topic.ts';

const SNIPPET_WORDS = 8;
const ROUNDS = 40;
const DECAY = 1e-4;
const BIAS_STEP = 0.1;
const LEAST_PROBABILITY = 1e-6;

export interface ClassifierRow {
  name: string;
  accuracy: number;
  loss: number;
}

/** Trains both classifiers with `examples`, and measures them on `others` and on snippets of them. */
export function compareClassifiers(
  examples: readonly LabelledText[],
  others: readonly LabelledText[],
): ClassifierRow[] {
  const random = new Random(1);
  const snippets = others.map(({ text, isOnTopic }) => ({ text: snippetOf(text, random), isOnTopic }));
  const bayes = new TopicClassifier(trainTopic(examples));
  const regression = trainRegression(examples);
  const rows: ClassifierRow[] = [];
  for (const [kind, texts] of [
    ['pages', others],
    ['snippets', snippets],
  ] as const) {
    rows.push({ name: `naive Bayes, ${kind}`, ...measure(texts, (text) => bayes.relevanceOf(text)) });
    rows.push({ name: `regression, ${kind}`, ...measure(texts, regression) });
  }
  return rows;
}

function snippetOf(text: string, random: Random): string {
  const words = text.split(/\s+/);
  const at = random.below(Math.max(1, words.length - SNIPPET_WORDS));
  return words.slice(at, at + SNIPPET_WORDS).join(' ');
}

/**
 * Trains logistic regression with gradient descent on one example after the other (AdaGrad). The value of a feature is
 * the square root of its share of the words, so that the squares of all values of a text add up to 1.
 */
function trainRegression(examples: readonly LabelledText[]): (text: string) => number {
  const weights = emptyWeights();
  const squares = emptyWeights().fill(1e-8);
  const items = examples.map(({ text, isOnTopic }) => ({
    features: valuesOf(text),
    target: Number(isOnTopic),
  }));
  let bias = 0;
  const classify = (features: [number, number][]) =>
    1 / (1 + Math.exp(-features.reduce((sum, [bucket, value]) => sum + weights[bucket]! * value, bias)));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { features, target } of items) {
      const error = classify(features) - target;
      for (const [bucket, value] of features) {
        const gradient = error * value + DECAY * weights[bucket]!;
        squares[bucket]! += gradient * gradient;
        weights[bucket]! -= gradient / Math.sqrt(squares[bucket]!);
      }
      bias -= BIAS_STEP * error;
    }
  }
  return (text) => classify(valuesOf(text));
}

function valuesOf(text: string): [number, number][] {
  const { counts, length } = wordFeaturesOf(text);
  return Array.from(counts, ([bucket, count]) => [bucket, Math.sqrt(count / length)]);
}

function measure(
  texts: readonly LabelledText[],
  classify: (text: string) => number,
): Omit<ClassifierRow, 'name'> {
  const correct = [0, 0];
  const total = [0, 0];
  let loss = 0;
  for (const { text, isOnTopic } of texts) {
    const likely = Math.min(Math.max(classify(text), LEAST_PROBABILITY), 1 - LEAST_PROBABILITY);
    const group = Number(isOnTopic);
    total[group]!++;
    if (likely >= 0.5 === isOnTopic) correct[group]!++;
    loss -= Math.log2(isOnTopic ? likely : 1 - likely);
  }
  const accuracy = (correct[0]! / total[0]! + correct[1]! / total[1]!) / 2;
  return { accuracy: round(accuracy), loss: round(loss / texts.length) };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
