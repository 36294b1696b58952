/**
 * Checks the headers of a POST against the message in its body. Revision 2026-07-28 repeats revision, method
 * and tool name in headers, for intermediaries that forward messages without parsing them; a server that
 * reads both must check that they agree.
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

/** The first revision with streamable HTTP. Its clients send this version in the header, or omit the header. */
const FIRST_VERSION = '2025-03-26';

/** Returns an error reply if the headers do not agree with the message; otherwise null. */
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

/** Decodes a name that contains characters which headers cannot have. It is sent as `=?base64?…?=`. */
function decoded(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString();
}

function textOf(header: string | string[] | undefined): string {
  return String(header ?? '');
}
