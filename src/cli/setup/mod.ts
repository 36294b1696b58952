/**
 * Commands that set up a machine for Gyre: they check and explain the configuration, and print a script that
 * completes commands in a shell. They need no data directory.
 */

export { completionCommand } from './completion.ts';
export { configCommand } from './config-command.ts';
