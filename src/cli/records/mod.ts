/**
 * The records of pages on the command line: `gyre extract` shows those of one page, so that rules can be tried before
 * a crawl uses them.
 */

export { extractCommand } from './extract-command.ts';
