/** Connects standing queries with the index, the webhooks, the web pages and the command line. */

export { standingCommand } from './standing-command.ts';
export { startStanding } from './standing-stage.ts';
export { standingTools } from './standing-tools.ts';
export { findIfFree } from './standing-work.ts';
