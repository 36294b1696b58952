/** Reads the links to a document, their anchor texts, and the ranks that follow from them. */
import type { Log } from '../../base/mod.ts';
import {
  type AnchorTable,
  type HostTable,
  type LinkTable,
  openLinks,
  type RankTable,
} from '../../graph/mod.ts';
import { type CanonicalUrl, fingerprint, hostOf } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { withLinks } from '../sessions/index-session.ts';
import type { Config } from '../settings/mod.ts';
import type { LinkFacts } from './inspection.ts';

const MAX_PAGES = 10;
const MAX_TEXTS = 5;

/** Returns null if no rank run has finished yet. */
export async function readLinkFacts(
  data: DataDirectory,
  url: CanonicalUrl,
  config: Config,
  log: Log,
): Promise<LinkFacts | null> {
  return withLinks(data, config, log, async ({ ranks, hosts, anchors }) => {
    const links = ranks && openLinks(data.graph);
    if (!ranks || !links) return null;
    try {
      return linkFactsIn({ ranks, hosts: hosts ?? null, anchors: anchors ?? null, links }, url);
    } finally {
      links.close();
    }
  });
}

export interface OpenRanking {
  ranks: RankTable;
  hosts: HostTable | null;
  anchors: AnchorTable | null;
  links: LinkTable;
}

export function linkFactsIn({ ranks, hosts, anchors, links }: OpenRanking, url: CanonicalUrl): LinkFacts {
  const document = links.documentOf(url) ?? url;
  const sources = links.linksTo(url);
  const signals = hosts?.signalsOf(hostOf(document));
  return {
    count: sources.length,
    pages: sources.slice(0, MAX_PAGES),
    anchorTexts: (anchors?.textsOf(fingerprint(document)) ?? []).slice(0, MAX_TEXTS),
    rank: ranks.relativeRankOf(fingerprint(url)),
    host: signals ? { ...signals } : null,
  };
}
