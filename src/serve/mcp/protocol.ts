/**
 * The Model Context Protocol, revision 2025-11-25, as far as a server with tools needs it: JSON-RPC 2.0 messages, one at
 * a time, whatever carries them (stdio.ts, http.ts). The server keeps nothing between messages, so any of them can be
 * answered by any process.
 *
 *   initialize -> notifications/initialized -> tools/list, tools/call, ping, in any order
 *
 * What is wrong with the arguments of a tool is told as the tool's result, where the assistant sees it and can try
 * again; only what breaks the protocol is an error of JSON-RPC.
 */
import { messageOf } from '../../base/mod.ts';

/** The newest first; a client that asks for another is offered it. */
export const PROTOCOL_VERSIONS = ['2025-11-25', '2025-06-18'] as const;

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
  /** By the tool's `outputSchema`. */
  structured?: object;
  isError?: boolean;
}

export interface McpServer {
  version: string;
  instructions: string;
  tools: readonly McpTool[];
}

type Id = string | number;

export interface JsonRpcReply {
  jsonrpc: '2.0';
  id: Id | null;
  result?: object;
  error?: { code: number; message: string };
}

const ErrorCode = { parse: -32700, request: -32600, method: -32601, params: -32602 } as const;

/** The reply to one message as it came in; null where none is due (notifications, replies to us). */
export async function answerMessage(server: McpServer, text: string): Promise<JsonRpcReply | null> {
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
  return answerRequest(server, id, method, params);
}

async function answerRequest(
  server: McpServer,
  id: Id,
  method: string,
  params: Record<string, unknown>,
): Promise<JsonRpcReply> {
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
      return failure(id, ErrorCode.method, `there is no method ${method}`);
  }
}

function greeting({ version, instructions }: McpServer, asked: unknown): object {
  const known = PROTOCOL_VERSIONS.find((each) => each === asked);
  return {
    protocolVersion: known ?? PROTOCOL_VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name: 'gyre', title: 'Gyre', version },
    instructions,
  };
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

function failure(id: Id | null, code: number, message: string): JsonRpcReply {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
