/** Topics of topical crawls: classifiers of texts, their training, and their files. */

export { TopicClassifier, textOfPage } from './topic-classifier.ts';
export { readTopic, type TrainedTopic, topicNames, writeTopic } from './topic-format.ts';
export { type LabelledText, topicOfWords, trainTopic } from './train-topic.ts';
