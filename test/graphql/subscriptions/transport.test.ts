import { connect } from 'node:net';
import { createBuild } from '../../../src/operations/builds/create.js';
import { limits } from '../../../src/domain/limits/limits.js';
import { EventQueue } from '../../../src/event-stream/event-queue.js';
import { eventCursor } from '../../../src/event-stream/cursor.js';
import { forgetEvents } from '../../../src/background/retention/forget-events.js';
import { assignPositions } from '../../../src/event-stream/assign-positions.js';
import { buildOf } from '../../support/scripted-agent.js';
import { Listener, LiveServer, socketClient } from './support.js';

const query = 'subscription ($after: String) { pipelines(id: "acme", after: $after) { cursor event { uuid type } } }';

describe('the connection of a subscription', () => {
  let live: LiveServer;
  beforeAll(async () => {
    live = await LiveServer.open();
  });
  afterAll(() => live.close());

  const makeBuild = async () => (await buildOf(live.world, 'steps: [{ command: "true" }]')).build;

  /** Reads server-sent events of a reply until the given number has arrived, or the reply ends. */
  async function streamed(
    path: string,
    init: RequestInit,
    wanted: number,
    meanwhile: () => Promise<unknown> = async () => undefined,
  ) {
    const control = new AbortController();
    const reply = await fetch(live.url + path, {
      ...init,
      headers: {
        Authorization: live.world.admin.authorization,
        Accept: 'text/event-stream',
        'Content-Type': 'application/json',
        ...init.headers,
      },
      signal: control.signal,
    });
    let text = '';
    let started = false;
    const events = () =>
      [...text.matchAll(/^event: (\w+)\ndata: ?(.*)$/gm)].map(([, event, data]) => ({
        event,
        data: data ? JSON.parse(data) : null,
      }));
    try {
      for await (const part of reply.body!.pipeThrough(new TextDecoderStream())) {
        text += part;
        if (!started && events().length > 0) {
          started = true;
          await meanwhile();
        }
        if (events().length >= wanted) break;
      }
    } finally {
      control.abort();
    }
    return { reply, events: events() };
  }

  test.each(['/graphql', '/graphql/stream'])('POST %s opens a stream of server-sent events', async (path) => {
    const { reply, events } = await streamed(path, { method: 'POST', body: JSON.stringify({ query }) }, 3, makeBuild);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    expect(events[0]).toEqual({
      event: 'next',
      data: { data: { pipelines: { cursor: expect.any(String), event: null } } },
    });
    expect(events[1]!.data.data.pipelines.event.type).toBe('build.create');
    const after = events[0]!.data.data.pipelines.cursor;
    const again = await streamed(
      `/graphql/stream?${new URLSearchParams({ query, variables: JSON.stringify({ after }) })}`,
      { method: 'GET' },
      2,
    );
    expect(again.events.map(({ data }) => data)).toEqual(events.slice(1).map(({ data }) => data));
  });

  test('a refused stream of server-sent events sends the error as its only event, and requires a token', async () => {
    const refused = await streamed(
      '/graphql',
      { method: 'POST', body: JSON.stringify({ query: '{ viewer { id } }' }) },
      2,
    );
    expect(refused.events.map(({ event }) => event)).toEqual(['next', 'complete']);
    expect(refused.events[0]!.data.errors[0].message).toBe('Queries and mutations are sent with POST');
    const stranger = await fetch(`${live.url}/graphql/stream`, {
      method: 'POST',
      headers: { Accept: 'text/event-stream' },
      body: '{}',
    });
    expect(stranger.status).toBe(401);
  });

  test('a plain POST of a subscription is refused', async () => {
    const reply = await fetch(`${live.url}/graphql`, {
      method: 'POST',
      headers: { Authorization: live.world.admin.authorization },
      body: JSON.stringify({ query }),
    });
    const { errors } = (await reply.json()) as { errors: { message: string; extensions: { code: string } }[] };
    expect([reply.status, errors[0]!.extensions.code, errors[0]!.message]).toEqual([
      200,
      'BAD_USER_INPUT',
      'Subscriptions are sent over graphql-ws or as server-sent events',
    ]);
  });

  test('a WebSocket without a valid token is closed with 4401, and accepts the token as `token` or in a header', async () => {
    const closed = await new Promise((resolve) => {
      const client = socketClient(live.url, 'nobody', {
        on: { closed: (event) => resolve((event as { code: number }).code) },
      });
      client.subscribe({ query }, { next: () => undefined, error: () => undefined, complete: () => undefined });
    });
    expect(closed).toBe(4401);
    const client = socketClient(live.url, '', { connectionParams: { token: live.world.admin.token } });
    const listener = new Listener(client, query);
    await listener.begun();
    expect(listener.messages).toHaveLength(1);
    await client.dispose();
  });

  test.each([
    ['a syntax error', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', 'subscription { shoes { size } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'two fields at once',
      'subscription { a: agents(id: "acme") { cursor } b: agents(id: "acme") { cursor } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a mutation', 'mutation { buildCancel(input: {id: "x"}) { clientMutationId } }', 'BAD_USER_INPUT'],
    [
      'a document that costs too much',
      'subscription { pipelines(id: "acme") { pipeline { builds(first: 500) { edges { node { jobs(first: 500) { edges { node { ... on JobTypeCommand { uuid } } } } } } } } } }',
      'COMPLEXITY_LIMIT_EXCEEDED',
    ],
  ])('a WebSocket client receives the error for %s, and the connection stays open', async (_what, document, code) => {
    const client = live.client();
    const listener = new Listener(client, document);
    await listener.until(() => listener.ended);
    expect(listener.errors.map(({ extensions }) => extensions.code)).toEqual([code]);
    const good = new Listener(client, query);
    await good.begun();
    expect(good.messages).toHaveLength(1);
    await client.dispose();
  });

  test('a connection carries a limited number of subscriptions, and one that ends makes room for another', async () => {
    const client = live.client();
    const listeners = Array.from({ length: limits.subscriptionsPerConnection + 1 }, () => new Listener(client, query));
    await Promise.all(listeners.map((listener) => listener.begun()));
    const refused = listeners.filter(({ errors }) => errors.length > 0);
    expect(refused.map(({ errors }) => errors[0].extensions.code)).toEqual(['RATE_LIMITED']);
    listeners[0]!.stop();
    // The server learns of it a moment later.
    let another: Listener;
    do {
      another = new Listener(client, query);
      await another.begun();
    } while (another.errors.length > 0);
    expect(another.messages).toHaveLength(1);
    await client.dispose();
  }, 20_000);

  test('a connection is closed when the server drains, so that the client reconnects elsewhere', async () => {
    const second = await LiveServer.onto(live.world);
    let closed = 0;
    const client = second.client(live.world.admin, {
      on: { closed: (event) => (closed = (event as { code: number }).code) },
    });
    const listener = new Listener(client, query);
    await listener.begun();
    const stream = await openStream(second.url);
    await second.surface.drain();
    await listener.until(() => listener.ended);
    expect(await stream.text()).toContain('event: next');
    await listener.until(() => closed !== 0);
    expect([1000, 1001]).toContain(closed);
    await second.close();
  });

  const openStream = (url: string) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { Authorization: live.world.admin.authorization, Accept: 'text/event-stream' },
      body: JSON.stringify({ query }),
    });

  test("a slow reader's connection buffers a bounded number of events", async () => {
    const queue = new EventQueue(2);
    const event = { position: 1 } as never;
    queue.push(event);
    queue.push(event);
    expect(queue.overflowed).toBe(false);
    queue.push(event);
    expect([queue.overflowed, queue.take()]).toEqual([true, []]);
  });

  test.each([
    ['without a key', 'GET', '', 400, 'Sec-WebSocket-Version: 13, 8', 'Missing or invalid Sec-WebSocket-Key header'],
    [
      'with a version that nobody has',
      'GET',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 99\r\n',
      400,
      'Sec-WebSocket-Version: 13, 8',
      'Missing or invalid Sec-WebSocket-Version header',
    ],
    [
      'with protocols that cannot be read',
      'GET',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ,,\r\n',
      400,
      'Sec-WebSocket-Version: 13, 8',
      'Invalid Sec-WebSocket-Protocol header',
    ],
    ['with another method', 'POST', '', 405, 'Allow: GET', 'Invalid HTTP method'],
  ])(
    'a WebSocket handshake %s is answered in JSON, with an id',
    async (_name, method, lines, status, header, message) => {
      const reply = await raw(
        `${method} /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines}\r\n`,
      );
      const [head = '', body = ''] = reply.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head.split('\r\n')).toContain(header);
      expect(head).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/);
      expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
      expect(JSON.parse(body)).toEqual({ message });
    },
  );

  test('a request to upgrade to another protocol is answered as if it had no Upgrade header', async () => {
    const body = JSON.stringify({ query: '{ viewer { user { email } } }' });
    const reply = await raw(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: ${live.world.admin.authorization}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(reply).toContain(live.world.admin.email);
    expect(
      await raw(
        'GET /v2/user HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 404 Not Found[\s\S]*"message":"Not Found"/);
  });

  function raw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(live.url);
      const socket = connect(Number(port), hostname, () => socket.write(text));
      let reply = '';
      socket.on('data', (part) => {
        reply += part.toString();
        if (/\}\s*(?:0\s*)?$/.test(reply)) socket.destroy();
      });
      socket.on('close', () => resolve(reply));
      socket.on('error', reject);
    });
  }

  test('a subscription cannot start before the oldest stored event', async () => {
    await makeBuild();
    await assignPositions(live.world.services);
    const { services } = live.world;
    const old = await services.db
      .selectFrom('events')
      .select(['id', 'position'])
      .orderBy('position')
      .limit(2)
      .execute();
    const long = new Date(services.clock.now().getTime() - (limits.eventRetentionDays + 1) * 86_400_000);
    await services.db
      .updateTable('events')
      .set({ createdAt: long })
      .where(
        'id',
        'in',
        old.map(({ id }) => id),
      )
      .execute();
    expect(await forgetEvents(services)).toBe(2);
    expect(await forgetEvents(services)).toBe(0);
    const client = live.client();
    const [late, onTime] = [0, old[1]!.position!].map(
      (position) => new Listener(client, query, { after: eventCursor(position) }),
    );
    await late!.until(() => late!.ended);
    expect(late!.errors[0].extensions.code).toBe('CURSOR_EXPIRED');
    await live.world.perform(live.world.admin, createBuild, {
      pipeline: { organization: 'acme', slug: (await live.world.pipeline('steps: []')).slug },
      commit: 'HEAD',
      branch: 'main',
    });
    await onTime!.until(() => onTime!.messages.length > 0);
    expect(onTime!.errors).toEqual([]);
    await client.dispose();
  });
});
