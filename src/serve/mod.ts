/**
 * serve: the engine over HTTP. Pages are rendered here, whole, and work without scripts; what the
 * browser gets besides them lies in `src/web/`. Knows a `Searcher`, not what stands behind it.
 */
export { archivedPages, type PageArchive } from './cached/page-archive.ts';
export { createServer, listen } from './server.ts';
export type { ServeOptions, ServeStatus } from './site.ts';
