/**
 * Tests standing queries with the real program: a new page arrives once, a changed one once and an unchanged one never,
 * in digests, feeds and at a webhook that fails, and after the program was killed.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { filesWith } from '../helpers/file-search.ts';
import { type Finished, Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';

const SECRET = 'a secret of the tests, long enough';
/** A part of words that only one page has, to search the bytes of all files for. */
const MARK = 'kvzqwjp';

async function serve(context: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Message {
  id: string;
  type: string;
  pages: { id: string; change: string; path: string }[];
}

/** A receiver that checks signatures. `answer` decides about each message. */
class Receiver {
  readonly messages: Message[] = [];
  url = '';
  answer: (message: Message) => number | Promise<number> = () => 204;
  #heard = Promise.withResolvers<void>();

  async start(context: TestContext): Promise<this> {
    this.url = await serve(context, async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const header = (name: string) => String(request.headers[`webhook-${name}`]);
      const signed = `${header('id')}.${header('timestamp')}.${body}`;
      assert.equal(header('signature'), `v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`);
      const { type, data } = JSON.parse(body);
      const pages = data.pages.map(({ id, change, url }: Record<string, string>) => ({
        ...{ id, change, path: new URL(url!).pathname },
      }));
      const message = { id: header('id'), type, pages };
      this.messages.push(message);
      this.#heard.resolve();
      this.#heard = Promise.withResolvers();
      response.writeHead(await this.answer(message)).end();
    });
    return this;
  }

  async until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await this.#heard.promise;
  }
}

/** An engine over a small site, whose pages the test may change. */
class Engine {
  readonly pages: Record<string, string>;
  readonly receiver = new Receiver();
  data = '';
  origin = '';

  constructor(pages: Record<string, string>) {
    this.pages = pages;
  }

  async start(context: TestContext): Promise<this> {
    this.data = join(temporaryDirectory(context), 'data');
    await this.receiver.start(context);
    this.origin = await serve(context, (request, response) => {
      const body = this.pages[request.url!];
      if (body === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end(body);
    });
    return this;
  }

  get environment(): Record<string, string> {
    return { GYRE_STANDING_WEBHOOK_ADDRESSES: '127.0.0.1', GYRE_STANDING_WEBHOOK_RETRY: '1ms' };
  }

  run(...args: string[]): Promise<Finished> {
    return gyre([...args, '--data', this.data], this.environment);
  }

  async succeed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  /** Imports all pages as they are now, as a crawl would fetch them, and indexes them. */
  async importAndBuild(): Promise<void> {
    const lines = Object.entries(this.pages).map(([path, text]) =>
      JSON.stringify({ url: `${this.origin}${path}`, title: path, text }),
    );
    const file = join(this.data, '..', 'pages.jsonl');
    writeFileSync(file, lines.join('\n'));
    await this.succeed('import', file);
    await this.succeed('build');
  }

  /** Saves a query with a webhook, and returns the paths of its feeds. */
  async add(name: string, query: string): Promise<{ atom: string; json: string }> {
    const file = join(this.data, '..', 'secret');
    writeFileSync(file, `${SECRET}\n`);
    const hook = ['--webhook', `${this.receiver.url}/hook`, '--secret-file', file];
    return JSON.parse(await this.succeed('standing', 'add', name, query, ...hook, '--json'));
  }

  async digest(name: string): Promise<string[]> {
    const { stdout } = await this.run('standing', 'digest', name, '--json');
    return JSON.parse(stdout).pages.map(
      ({ change, url }: { change: string; url: string }) => `${change} ${new URL(url).pathname}`,
    );
  }
}

const page = (title: string, text: string) => `<title>${title}</title><p>${text}</p>`;

test('a new page arrives once, a changed one once, and an unchanged one never', async (context) => {
  const engine = await new Engine({
    '/old': 'About the event loop.',
    '/other': 'About an event only.',
  }).start(context);
  const { pages, receiver } = engine;
  await engine.importAndBuild();
  const { atom, json } = await engine.add('loops', 'event loop');
  pages['/new'] = `The event loop ${MARK}one of a new page.`;
  pages['/old'] = 'About the event loop, second edition.';
  await engine.importAndBuild();
  assert.deepEqual((await engine.digest('loops')).sort(), ['changed /old', 'new /new']);
  await engine.importAndBuild();
  assert.deepEqual(await engine.digest('loops'), [], 'a digest has each page once');

  // The receiver fails twice and gets the message at the third attempt.
  receiver.answer = () => (receiver.messages.length < 3 ? 500 : 204);
  for (const delivered of [0, 0, 1, 0])
    assert.match(await engine.succeed('standing', 'send'), new RegExp(`delivered ${delivered} message`));
  assert.equal(receiver.messages.length, 3);
  assert.equal(new Set(receiver.messages.map(({ id }) => id)).size, 1, 'each attempt has the same id');
  const sent = receiver.messages[2]!.pages;
  assert.deepEqual(sent.map(({ change, path }) => `${change} ${path}`).sort(), ['changed /old', 'new /new']);

  const server = new Gyre(['serve', '--port', '0', '--data', engine.data], engine.environment);
  context.after(() => server.kill('SIGKILL'));
  const [, address] = await server.printed(/search at (\S+)/);
  const read = async (path: string) =>
    (await (await fetch(`${address}${path}`)).json()) as { items: { id: string; url: string }[] };
  const feed = await read(json);
  const ids = (list: { id: string }[]) => list.map(({ id }) => id).sort();
  assert.deepEqual(
    ids(feed.items),
    ids(sent).map((id) => `urn:uuid:${id}`),
  );
  const first = await fetch(`${address}${atom}`);
  const entries = await first.text();
  for (const { id } of sent) assert.ok(entries.includes(`<id>urn:uuid:${id}</id>`), entries);
  const again = await fetch(`${address}${atom}`, {
    headers: { 'if-none-match': first.headers.get('etag')! },
  });
  assert.equal(again.status, 304);
  assert.equal((await fetch(`${address}/standing/guess.atom`)).status, 404);

  assert.ok((await filesWith(engine.data, `${MARK}one`)).includes('standing.db'));
  await engine.succeed('remove', '--purge', `${engine.origin}/new`);
  assert.deepEqual(await filesWith(engine.data, `${MARK}one`), [], 'a purge leaves no byte of the page');
  const left = await read(json);
  assert.deepEqual(
    left.items.map(({ url }) => new URL(url).pathname),
    ['/old'],
  );
});

test('a running engine sends pages as it finds them, and a kill repeats a message only with its id', async (context) => {
  const names = Array.from({ length: 6 }, (_, at) => `/page${at}`);
  const start = `<title>Start</title>${names.map((name) => `<a href="${name}">${name}</a>`).join(' ')}`;
  const engine = await new Engine({
    '/': start,
    ...Object.fromEntries(names.map((name, at) => [name, page(`Page ${at}`, `The harbour number ${at}.`)])),
  }).start(context);
  const { receiver, origin } = engine;
  await engine.succeed('crawl', '--delay', '1ms', '--max-pages', '1', `${origin}/`);
  await engine.succeed('build');
  await engine.add('harbours', 'harbour');

  const up = () =>
    new Gyre(['up', '--port', '0', '--delay', '20ms', '--data', engine.data], engine.environment);
  let program = up();
  context.after(() => program.kill('SIGKILL'));
  // The program is killed while the receiver has the first message and has not answered it.
  const killed = Promise.withResolvers<number>();
  receiver.answer = () => killed.promise;
  await receiver.until(() => receiver.messages.length > 0);
  await program.kill('SIGKILL');
  killed.resolve(204);
  receiver.answer = () => 204;
  program = up();
  const arrived = () => receiver.messages.slice(1).flatMap(({ pages }) => pages);
  await receiver.until(() => arrived().length >= names.length);
  await program.kill('SIGTERM');
  assert.equal(
    receiver.messages[1]!.id,
    receiver.messages[0]!.id,
    'the first message is sent again with its id',
  );
  assert.deepEqual(
    arrived()
      .map(({ change, path }) => `${change} ${path}`)
      .sort(),
    names.map((name) => `new ${name}`),
    'each page once',
  );
  assert.equal(new Set(receiver.messages.slice(1).map(({ id }) => id)).size, receiver.messages.length - 1);
});

test('bad input gets a message that says what was expected', async (context) => {
  const engine = await new Engine({ '/': 'harbour' }).start(context);
  await engine.importAndBuild();
  const refused = async (expected: RegExp, ...args: string[]) => {
    const { code, stderr } = await engine.run('standing', ...args);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, expected);
  };
  await refused(/"AND" is not a complete operator/, 'add', 'a', 'harbour AND');
  await engine.add('a', 'harbour');
  engine.receiver.answer = () => 410;
  await refused(/did not accept the test message: HTTP 410/, 'test', 'a');
  assert.equal(engine.receiver.messages[0]!.type, 'test');
  // Without the setting, no message reaches this machine.
  const guarded = await gyre(['standing', 'test', 'a', '--data', engine.data]);
  assert.match(guarded.stderr, /did not accept the test message: address not allowed/);
  assert.match(guarded.stdout, /1 page of the index would match harbour/);
  assert.equal(engine.receiver.messages.length, 1);
  assert.match(await engine.succeed('standing'), /a: harbour\n[\s\S]*webhook +http:/);
});
