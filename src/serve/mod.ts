/**
 * serve: the engine over HTTP. Pages are rendered here, whole, and work without scripts; what the
 * browser gets besides them lies in `src/web/`. Knows a `Searcher`, not what stands behind it.
 */
export { archivedPages, type CopyContent, type PageArchive } from './cached/page-archive.ts';
export { createMcpHttp, type McpHttpOptions } from './mcp/http.ts';
export { serveLines } from './mcp/stdio.ts';
export { mcpServer, type ToolOptions } from './mcp/tools.ts';
export { createServer, listen } from './server.ts';
export type { CrawlControl, ServeOptions, ServeStatus } from './site.ts';
export { isLoopbackName } from './site-address.ts';
