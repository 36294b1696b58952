/**
 * Topics of topical crawls: classifiers of texts, their training, their files, and the estimated relevance of links.
 * Parser threads classify pages and links.
 */

export { linkRelevances } from './link-relevance.ts';
export { type ClassifierData, TopicClassifier, textOfPage } from './topic-classifier.ts';
export { readTopic, type TrainedTopic, topicNames, writeTopic } from './topic-format.ts';
export { type LabelledText, topicOfWords, trainTopic } from './train-topic.ts';
