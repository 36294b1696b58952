/** Serves the Model Context Protocol over stdio and HTTP, with the tools `search` and `read_page`. */

export { createMcpHttp } from './http.ts';
export { serveLines } from './stdio.ts';
export { mcpServer } from './tools.ts';
