/**
 * Implements the Model Context Protocol, revision 2026-07-28, as far as a server with tools needs it:
 * JSON-RPC 2.0 messages, one at a time, independent of the transport (stdio.ts, http.ts). The server keeps no
 * state between messages, so any process can reply to any message.
 *
 *   server/discover, tools/list, tools/call, in any order; each request says its revision in `_meta`
 *
 * Clients of earlier revisions send `initialize` first and name no revision afterwards. They are still
 * supported:
 *
 *   initialize -> notifications/initialized -> tools/list, tools/call, ping, in any order
 *
 * Errors in the arguments of a tool are returned as the tool's result, so that the assistant sees them and
 * can try again. Only violations of the protocol are JSON-RPC errors.
 */
import { messageOf } from '../../base/mod.ts';

export const CURRENT_VERSION = '2026-07-28';
/**
 * The earlier revisions of the protocol, whose clients send `initialize` first. The newest revision comes
 * first. A client that requests an unknown revision is offered the newest.
 */
const EARLIER_VERSIONS = ['2025-11-25', '2025-06-18'];
export const PROTOCOL_VERSIONS: readonly string[] = [CURRENT_VERSION, ...EARLIER_VERSIONS];

export interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: object;
  outputSchema?: object;
  run(input: Record<string, unknown>): Promise<ToolResult>;
}

export interface ToolResult {
  text: string;
  /** The result as JSON that matches the `outputSchema` of the tool. */
  structured?: object;
  isError?: boolean;
}

export interface McpServer {
  version: string;
  instructions: string;
  tools: readonly McpTool[];
}

type Id = string | number;

/** A JSON-RPC message that expects a reply. */
export interface McpRequest {
  id: Id;
  method: string;
  params: Record<string, unknown>;
  /** The protocol revision in `_meta`; empty if there is none, as in earlier revisions. */
  version: string;
}

export interface JsonRpcReply {
  jsonrpc: '2.0';
  id: Id | null;
  result?: object;
  error?: { code: number; message: string; data?: object };
}

export const ErrorCode = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  headers: -32020,
  version: -32022,
} as const;

const META = 'io.modelcontextprotocol';
/**
 * The cache lifetime of the list of capabilities. They do not change while the server runs and are the same
 * for every client.
 */
const FOR_AN_HOUR = { ttlMs: 3_600_000, cacheScope: 'public' };

/** Returns the reply to one message; null if the message expects no reply (notifications and replies). */
export async function answerMessage(server: McpServer, text: string): Promise<JsonRpcReply | null> {
  const message = readMessage(text);
  return message && 'method' in message ? answerRequest(server, message) : message;
}

/**
 * Parses a message. Returns the request, or an error reply if the message is invalid; null if no reply is
 * expected.
 */
export function readMessage(text: string): McpRequest | JsonRpcReply | null {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch (error) {
    return failure(null, ErrorCode.parse, `not JSON: ${messageOf(error)}`);
  }
  if (!isRecord(message) || message.jsonrpc !== '2.0')
    return failure(null, ErrorCode.request, 'expected one JSON-RPC 2.0 message');
  const { id, method, params = {} } = message;
  if (typeof method !== 'string')
    return isReply(message) ? null : failure(null, ErrorCode.request, 'no method');
  if (id === undefined) return null;
  if (typeof id !== 'string' && typeof id !== 'number')
    return failure(null, ErrorCode.request, 'the id must be text or a number');
  if (!isRecord(params)) return failure(id, ErrorCode.params, 'params must be an object');
  const version = isRecord(params._meta) ? params._meta[`${META}/protocolVersion`] : undefined;
  return { id, method, params, version: typeof version === 'string' ? version : '' };
}

export async function answerRequest(server: McpServer, request: McpRequest): Promise<JsonRpcReply> {
  const { id, method, version } = request;
  if (version === '' && method !== 'server/discover') return answerEarlier(server, request);
  const fault = faultOf(request);
  if (fault) return fault;
  const { result, error } = await answerCurrent(server, request);
  if (!result) return { jsonrpc: '2.0', id, error: error! };
  const serverInfo = infoOf(server);
  return success(id, { ...result, resultType: 'complete', _meta: { [`${META}/serverInfo`]: serverInfo } });
}

/**
 * Checks the `_meta` fields that every request of the current revision must have. Returns an error reply, or
 * null if they are valid.
 */
function faultOf({ id, version, params }: McpRequest): JsonRpcReply | null {
  if (version !== '' && version !== CURRENT_VERSION) return unknownVersion(id, version);
  const meta = params._meta;
  const isWhole = version !== '' && isRecord(meta) && isRecord(meta[`${META}/clientCapabilities`]);
  return isWhole ? null : missingMeta(id);
}

export function missingMeta(id: Id): JsonRpcReply {
  const message = `_meta must hold ${META}/protocolVersion and ${META}/clientCapabilities`;
  return failure(id, ErrorCode.params, message);
}

export function unknownVersion(id: Id, requested: string): JsonRpcReply {
  const message = `expected revision ${CURRENT_VERSION}, or initialize for an earlier one`;
  const data = { supported: PROTOCOL_VERSIONS, requested };
  return { jsonrpc: '2.0', id, error: { code: ErrorCode.version, message, data } };
}

async function answerCurrent(server: McpServer, { id, method, params }: McpRequest): Promise<JsonRpcReply> {
  const { instructions } = server;
  switch (method) {
    case 'server/discover':
      return success(id, {
        ...{ supportedVersions: PROTOCOL_VERSIONS, capabilities: { tools: {} }, instructions },
        ...FOR_AN_HOUR,
      });
    case 'tools/list':
      return success(id, { tools: server.tools.map(describe), ...FOR_AN_HOUR });
    case 'tools/call':
      return callTool(server, id, params);
    default:
      return unknownMethod(id, method);
  }
}

async function answerEarlier(server: McpServer, { id, method, params }: McpRequest): Promise<JsonRpcReply> {
  switch (method) {
    case 'initialize':
      return success(id, greeting(server, params.protocolVersion));
    case 'ping':
      return success(id, {});
    case 'tools/list':
      return success(id, { tools: server.tools.map(describe) });
    case 'tools/call':
      return callTool(server, id, params);
    default:
      return unknownMethod(id, method);
  }
}

function greeting(server: McpServer, asked: unknown): object {
  return {
    protocolVersion: EARLIER_VERSIONS.find((each) => each === asked) ?? EARLIER_VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: infoOf(server),
    instructions: server.instructions,
  };
}

function infoOf({ version }: McpServer): object {
  return { name: 'gyre', title: 'Gyre', version };
}

function describe({ name, title, description, inputSchema, outputSchema }: McpTool): object {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  return { name, title, description, inputSchema, ...(outputSchema && { outputSchema }), annotations };
}

async function callTool(server: McpServer, id: Id, params: Record<string, unknown>): Promise<JsonRpcReply> {
  const tool = server.tools.find(({ name }) => name === params.name);
  if (!tool) return failure(id, ErrorCode.params, `there is no tool ${JSON.stringify(params.name)}`);
  const input = params.arguments ?? {};
  if (!isRecord(input)) return failure(id, ErrorCode.params, 'arguments must be an object');
  const { text, structured, isError = false } = await tool.run(input);
  const content = [{ type: 'text', text }];
  return success(id, { content, ...(structured && { structuredContent: structured }), isError });
}

function isReply(message: Record<string, unknown>): boolean {
  return Object.hasOwn(message, 'result') || Object.hasOwn(message, 'error');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function success(id: Id, result: object): JsonRpcReply {
  return { jsonrpc: '2.0', id, result };
}

function unknownMethod(id: Id, method: string): JsonRpcReply {
  return failure(id, ErrorCode.method, `there is no method ${method}`);
}

export function failure(id: Id | null, code: number, message: string): JsonRpcReply {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
