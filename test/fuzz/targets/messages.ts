/** Messages of other programs and nodes: MCP, calls between gateway and search nodes, links between crawl nodes. */
import assert from 'node:assert/strict';
import { silentLog } from '../../../src/base/mod.ts';
import { decodeCalls, decodeReplies, encodeCalls } from '../../../src/cluster/search/call-batch.ts';
import {
  decodePart,
  encodePart,
  messageKey,
  openMessage,
  sealMessage,
} from '../../../src/cluster/search/shard-message.ts';
import { decodeLinkMessage, LinkMessageWriter } from '../../../src/cluster/links/link-message.ts';
import { answerMessage } from '../../../src/serve/mcp/protocol.ts';
import { mcpServer } from '../../../src/serve/mcp/tools.ts';
import { canonicalize } from '../../../src/url/mod.ts';
import { allowRefusal, type FuzzTarget, texts } from '../target.ts';

const KEY = messageKey('a secret of a cluster for tests');

const MCP = mcpServer({
  siteRules: [],
  searcher: {
    search: async ({ query }) => ({ query, total: 0, tookMs: 1, partial: false, notes: [], results: [] }),
  },
  pages: { read: async () => ({ kind: 'none' }) },
  log: silentLog,
  version: '0',
});

function linkMessage(): Uint8Array {
  const writer = new LinkMessageWriter();
  const urls = ['https://b.test/', 'https://b.test/c', 'https://c.test/d?e=f'].map(
    (url) => canonicalize(url)!,
  );
  writer.add(
    urls.map((url, at) => ({ url, isFollowOnly: at === 1 })),
    3,
    canonicalize('https://a.test/'),
  );
  writer.add([{ url: urls[0]!, isFollowOnly: false }], 0, null);
  return writer.finish();
}

function callMessage(): Buffer[] {
  const part = encodePart({ query: 'moon', limit: 10 });
  return encodeCalls([{ head: { kind: 'search', shard: 1 } as never, parts: [part, part] }]);
}

const SEALED = sealMessage(callMessage(), KEY);

export const MESSAGE_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'mcp',
    about: 'a message to the MCP server: a reply by JSON-RPC, or none for a notification',
    seeds: () =>
      texts(
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}',
        '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"search","arguments":{"query":"moon","limit":3},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
        '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_page","arguments":{"url":"https://a.example/","from":0}}}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '[{"jsonrpc":"2.0","id":3,"method":"ping"}]',
      ),
    words: [
      '"method":',
      '"params":',
      '"id":',
      'null',
      '[]',
      '{}',
      '"__proto__":',
      '"tools/call"',
      '"constructor"',
      '"toString"',
      '1e999',
      '"_meta":',
    ],
    async run(input) {
      const reply = await answerMessage(MCP, input.toString('utf8'));
      if (!reply) return;
      assert.equal(reply.jsonrpc, '2.0');
      assert.notEqual(reply.error?.code, -32603, JSON.stringify(reply.error));
      JSON.parse(JSON.stringify(reply));
    },
  },
  {
    name: 'shard-message',
    about: 'bytes to a search node: without the right seal they are refused before they are decoded',
    seeds: () => [SEALED],
    async run(input) {
      const parts = await allowRefusal(() => openMessage(input, KEY));
      if (parts) assert.deepEqual(input, SEALED, 'only the sealed bytes are accepted');
    },
  },
  {
    name: 'shard-call',
    about: 'the contents of a sealed message of a faulty node: calls and replies, or a MessageError',
    seeds: () => [
      callMessage()[0]!,
      encodePart([2, 1]),
      encodePart({ a: [1n, new Map([['b', new Float64Array(3)]])] }),
    ],
    async run(input) {
      await allowRefusal(() => decodePart(input));
      await allowRefusal(() => decodeCalls([input, ...callMessage().slice(1)]));
      await allowRefusal(() => decodeReplies([input, ...callMessage().slice(1)]));
    },
  },
  {
    name: 'link-message',
    about: 'a message with links: canonical URLs or a CorruptError',
    seeds: () => [linkMessage()],
    async run(input) {
      const sent = await allowRefusal(() => decodeLinkMessage(input));
      for (const { links } of sent ?? []) {
        for (const url of links.urls.split('\n').filter((line) => line !== ''))
          assert.equal(canonicalize(url), url);
      }
    },
  },
];
