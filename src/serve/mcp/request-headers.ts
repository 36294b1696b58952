/**
 * What the headers of a POST say of the message in its body. Revision 2026-07-28 has revision, method and tool in headers
 * as well, for those who pass messages on without reading them; whoever reads both must see that they agree.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  CURRENT_VERSION,
  ErrorCode,
  failure,
  type JsonRpcReply,
  type McpRequest,
  missingMeta,
  PROTOCOL_VERSIONS,
  unknownVersion,
} from './protocol.ts';

/** What clients of the first revision with this transport send, or do not send at all. */
const FIRST_VERSION = '2025-03-26';

/** What is wrong with the headers of a request; null if nothing is. */
export function headerFault(headers: IncomingHttpHeaders, request: McpRequest): JsonRpcReply | null {
  const { id, version, method, params } = request;
  const said = textOf(headers['mcp-protocol-version']);
  if (version === '') {
    if (said === CURRENT_VERSION) return missingMeta(id);
    const isKnown = said === '' || said === FIRST_VERSION || PROTOCOL_VERSIONS.includes(said);
    return isKnown ? null : unknownVersion(id, said);
  }
  const wrong = [
    ['MCP-Protocol-Version', said, version],
    ['Mcp-Method', textOf(headers['mcp-method']), method],
    ...(method === 'tools/call' ? [['Mcp-Name', decoded(textOf(headers['mcp-name'])), params.name]] : []),
  ].find(([, header, body]) => header !== body);
  if (!wrong) return null;
  const [name, header, body] = wrong;
  return failure(id, ErrorCode.headers, `expected ${name} ${body}, as in the body; got ${header || 'none'}`);
}

/** A name that no header can hold comes as `=?base64?…?=`. */
function decoded(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}

function textOf(header: string | string[] | undefined): string {
  return String(header ?? '');
}
