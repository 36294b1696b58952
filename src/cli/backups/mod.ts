/**
 * Backs up a data directory while the engine runs, and restores it. A backup costs the time to copy the files; the
 * crawl is not paused.
 */

export { backupCommand, restoreCommand } from './backup-commands.ts';
