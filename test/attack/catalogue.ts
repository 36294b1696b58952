/**
 * Lists all attacks in the order of the table. To add one, write a file in `hosts/` or `clients/` and list it
 * here.
 */
import type { HostileClient, HostileHost } from './attack.ts';
import { answerSlowPdf } from './clients/answer-slow-pdf.ts';
import { cachedSlowPdf } from './clients/cached-slow-pdf.ts';
import { compareSlowPdf } from './clients/compare-slow-pdf.ts';
import { forwardedAdmin } from './clients/forwarded-admin.ts';
import { jsonForms } from './clients/json-forms.ts';
import { mcpDrippedBodies } from './clients/mcp-dripped-bodies.ts';
import { mcpSlowPdf } from './clients/mcp-slow-pdf.ts';
import { ordinaryAssistants, ordinaryClients } from './clients/ordinary-clients.ts';
import { pipelinedSearches } from './clients/pipelined-searches.ts';
import { parallelPrefixQueries, prefixQueries } from './clients/prefix-queries.ts';
import { twoHostHeaders } from './clients/two-host-headers.ts';
import { unreadReplies } from './clients/unread-replies.ts';
import { wrongAdminTokens } from './clients/wrong-admin-tokens.ts';
import { decompressionBombs } from './hosts/decompression-bombs.ts';
import { endlessArticles } from './hosts/endless-articles.ts';
import { endlessInterim } from './hosts/endless-interim.ts';
import { endlessPaths } from './hosts/endless-paths.ts';
import { markdownBackticks } from './hosts/markdown-backticks.ts';
import { oneByteChunks } from './hosts/one-byte-chunks.ts';
import { ordinaryHosts } from './hosts/ordinary-hosts.ts';
import { pdfForms } from './hosts/pdf-forms.ts';
import { pdfRepeatedStream } from './hosts/pdf-repeated-stream.ts';
import { pdfSlow } from './hosts/pdf-slow.ts';
import { pdfWidthRanges } from './hosts/pdf-width-ranges.ts';
import { redirectLoops } from './hosts/redirect-loops.ts';
import { robotsWildcards } from './hosts/robots-wildcards.ts';
import { sessionParameter } from './hosts/session-parameter.ts';
import { slowHeaders } from './hosts/slow-headers.ts';
import { wildcardSubdomains } from './hosts/wildcard-subdomains.ts';

export const HOSTILE_HOSTS: readonly HostileHost[] = [
  ordinaryHosts,
  pdfForms,
  pdfRepeatedStream,
  pdfWidthRanges,
  pdfSlow,
  markdownBackticks,
  robotsWildcards,
  oneByteChunks,
  endlessInterim,
  wildcardSubdomains,
  sessionParameter,
  endlessPaths,
  endlessArticles,
  decompressionBombs,
  slowHeaders,
  redirectLoops,
];

export const HOSTILE_CLIENTS: readonly HostileClient[] = [
  ordinaryClients,
  ordinaryAssistants,
  unreadReplies,
  pipelinedSearches,
  cachedSlowPdf,
  compareSlowPdf,
  answerSlowPdf,
  mcpSlowPdf,
  mcpDrippedBodies,
  prefixQueries,
  parallelPrefixQueries,
  wrongAdminTokens,
  jsonForms,
  twoHostHeaders,
  forwardedAdmin,
];
