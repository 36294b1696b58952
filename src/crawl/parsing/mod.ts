/**
 * Parses responses in worker threads. Bodies and parsed pages are in shared memory, so that any thread can
 * encode a commit. Hosts are charged for the processor time of their pages.
 */

export {
  type FetchedResponse,
  type Links,
  type ListedPages,
  linksTo,
  type PageFacts,
  type Reading,
  urlsOf,
  wanted,
} from './read-response.ts';
export {
  type DecodedReading,
  type EncodeOrder,
  type HeldResponse,
  type ParsedResponse,
  ResponseParser,
} from './response-parser.ts';
