/**
 * Cached copies of pages and comparisons of them. Worker threads read the archive, parse and rewrite, with a
 * deadline of two seconds; the thread that accepts connections only waits.
 */

export { ArchivePool } from './archive-pool.ts';
export { cachedRoutes } from './cached-page.ts';
export type { ArchivedPage } from './copy-tasks.ts';
export type { PageArchive, Picture } from './page-archive.ts';
