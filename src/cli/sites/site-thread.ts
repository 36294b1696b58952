/**
 * The thread that does the work of the pages for site owners: it reads large files, and sends requests to hosts that clients
 * choose. The thread that accepts connections does neither, because both may take seconds.
 */
import { serveChannel, systemClock } from '../../base/mod.ts';
import { openData, readData } from '../data-directory.ts';
import type { Config } from '../settings/mod.ts';
import { lookUpHost } from './host-report.ts';
import { decideOptOut, listOptOuts, requestOptOut } from './opt-outs.ts';
import { coverageOf, submitUrls } from './owned-site.ts';
import { findProof, hasKeyFile } from './ownership.ts';

export type SiteRequest = { config: Config } & (
  | { kind: 'look-up' | 'coverage' | 'decide'; host: string }
  | { kind: 'proof'; host: string; token: string }
  | { kind: 'key-file'; location: string; key: string }
  | { kind: 'opt-out'; host: string; reason: string }
  | { kind: 'opt-outs' }
  | { kind: 'submit'; urls: readonly string[]; who: string }
);

serveChannel<SiteRequest, unknown>({
  handle: async (request) => {
    const { config } = request;
    switch (request.kind) {
      case 'look-up':
        return lookUpHost(readData(config.data), config, request.host);
      case 'coverage':
        return coverageOf(readData(config.data), request.host);
      case 'proof':
        return findProof(config, request.host, request.token);
      case 'key-file':
        return hasKeyFile(config, request.location, request.key);
      case 'opt-out': {
        const { host, reason } = request;
        return requestOptOut(openData(config.data).root, { host, reason, at: systemClock.now() });
      }
      case 'opt-outs':
        return listOptOuts(readData(config.data).root);
      case 'decide':
        return decideOptOut(openData(config.data).root, request.host);
      case 'submit':
        return submitUrls(openData(config.data), config, request.urls, request.who);
    }
  },
});
