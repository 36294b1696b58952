/** Topics of a data directory: the command `gyre topic`, and the classifier of a topical crawl. */

export { topicCommand } from './topic-command.ts';
export { classifierOf } from './topic-files.ts';
