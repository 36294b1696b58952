/**
 * Reads the links of pages and passes them on: to the graph of pages, to the graph of hosts and, with their texts, to
 * the anchors.
 *
 * Pages are read in the order of the URLs under which they were fetched, and template links are detected for
 * each host of these URLs. The vote of an anchor text counts for the host of the document. This is another host
 * than the host of the URL if the page was fetched under an alias on another host.
 */
import type { RunRecord } from './runs/mod.ts';
import { TemplateLinks } from './template-links.ts';
import { linkedNodes } from './web-tables.ts';

/** The nodes and hosts of the URLs in the records. URLs have the numbers that the records use. */
interface LinkNumbers {
  nodeOf: Uint32Array;
  /** 1 for each URL whose page represents its document (see web-tables.ts), otherwise 0. */
  isRepresentative: Uint8Array;
  /** A number for the host of each URL. */
  siteOf: Uint32Array;
  hostOf(node: number): number;
  /** A number for the registrable domain of each host. */
  domainOf: Uint32Array;
}

export interface LinkSinks {
  addLink(source: number, target: number, kind: number): void;
  addHostLink(source: number, target: number): void;
  addAnchor(node: number, host: number, text: string): void;
}

/** Passes on the links of `records`, which have texts and are in the order of their URLs. */
export function drawLinks(records: Iterable<RunRecord>, tables: LinkNumbers, sinks: LinkSinks): void {
  const { nodeOf, isRepresentative, siteOf, hostOf, domainOf } = tables;
  const domainOfNode = (node: number) => domainOf[hostOf(node)];
  const kinds = new TemplateLinks(
    (source, target) => domainOfNode(source) === domainOfNode(target),
    (source, target, kind) => sinks.addLink(source, target, kind),
  );
  let last = -1;
  for (const record of records) {
    if (isRepresentative[record.url] === 0) continue;
    if (siteOf[record.url] !== last) kinds.endHost();
    last = siteOf[record.url]!;
    const node = nodeOf[record.url]!;
    const host = hostOf(node);
    const targets = linkedNodes(record, nodeOf);
    kinds.addPage(node, targets);
    for (const target of targets) sinks.addHostLink(host, hostOf(target));
    record.targets.forEach((target, at) => {
      const text = record.texts[at]!;
      if (text !== '' && nodeOf[target] !== node) sinks.addAnchor(nodeOf[target]!, host, text);
    });
  }
  kinds.endHost();
}
