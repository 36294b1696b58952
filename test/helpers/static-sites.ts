/**
 * Serves directories as sites, each with its own host name, as nginx and Apache do by default: for a directory
 * with an `index.html` that file, and for other directories a list of the files with the title "Index of
 * /path/".
 */
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/**
 * The content types by file extension. They have no charset parameter, because the pages declare their
 * charset.
 */
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.gif': 'image/gif',
};

export class StaticSites {
  readonly port: number;
  /** The URLs for which the response was a list of files. */
  readonly listings = new Set<string>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  /** Serves the directories by host name, on loopback. */
  static async start(directories: ReadonlyMap<string, string>): Promise<StaticSites> {
    // With a shorter time, a busy machine could close a connection just when the next request is sent on it.
    const server = createServer({ keepAliveTimeout: 60_000 }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const sites = new StaticSites(server);
    server.on('request', ({ headers, url }, response) => {
      const { hostname, pathname, href } = new URL(url!, `http://${headers.host}`);
      const root = directories.get(hostname);
      if (root) sites.#answer(response, join(root, decodeURIComponent(pathname)), pathname, href);
      else response.writeHead(421).end();
    });
    return sites;
  }

  url(host: string, path: string): string {
    return `http://${host}:${this.port}${path}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(response: ServerResponse, file: string, path: string, url: string): void {
    const index = join(file, 'index.html');
    if (!existsSync(file)) response.writeHead(404).end();
    else if (!statSync(file).isDirectory()) sendFile(response, file);
    else if (!path.endsWith('/')) response.writeHead(301, { location: `${path}/` }).end();
    else if (existsSync(index)) sendFile(response, index);
    else {
      this.listings.add(url);
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(listingOf(path, readdirSync(file, { withFileTypes: true })));
    }
  }
}

function sendFile(response: ServerResponse, file: string): void {
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  response.end(readFileSync(file));
}

function listingOf(path: string, entries: readonly Dirent[]): string {
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  const links = ['../', ...names].map((name) => `<a href="${encodeURI(name)}">${name}</a>`);
  return `<html><head><title>Index of ${path}</title></head>
<body><h1>Index of ${path}</h1><hr><pre>${links.join('\n')}</pre><hr></body></html>`;
}
