/** Topics of a data directory: the command `gyre topic`. */

export { topicCommand } from './topic-command.ts';
