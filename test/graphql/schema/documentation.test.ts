import { readdirSync, readFileSync } from 'node:fs';
import { parse, validate } from 'graphql';
import { buildSchema } from '../../../src/graphql/server/schema.js';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import { buildOf } from '../../support/scripted-agent.js';
import { Listener, LiveServer } from '../subscriptions/support.js';

const page = readFileSync('docs/graphql.md', 'utf8');
const examples = [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text]) => text!);

describe('docs/graphql.md', () => {
  let live: LiveServer;
  let buildId: string;
  let pipelineId: string;
  beforeAll(async () => {
    live = await LiveServer.open();
    const pipeline = await live.world.pipeline('steps: [{ command: "true" }]', { slug: 'deploy' });
    pipelineId = pipeline.id;
    await live.world.perform(live.world.admin, (await import('../../../src/operations/builds/create.js')).createBuild, {
      pipeline: { id: pipeline.id },
      commit: 'HEAD',
      branch: 'main',
    });
    buildId = (await live.world.services.db.selectFrom('builds').select('id').executeTakeFirstOrThrow()).id;
  });
  afterAll(() => live.close());

  test('docs/graphql.md has examples of queries, mutations and subscriptions', () => {
    expect(examples.map((text) => text.split(' ')[0])).toEqual(
      expect.arrayContaining(['query', 'mutation', 'subscription']),
    );
  });

  test.each(examples.filter((text) => !text.startsWith('subscription')))(
    'the documented operation runs without errors: %s',
    async (query) => {
      const variables = { organization: 'acme', pipeline: encodeNodeId('Pipeline', pipelineId) };
      const reply = await fetch(`${live.url}/graphql`, {
        method: 'POST',
        headers: { Authorization: live.world.admin.authorization },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await reply.json()) as { data: Record<string, unknown>; errors?: unknown };
      expect(errors).toBeUndefined();
      expect(Object.values(data).every((value) => value !== null)).toBe(true);
    },
  );

  test.each(examples.filter((text) => text.startsWith('subscription')))(
    'the documented subscription starts without errors: %s',
    async (query) => {
      const client = live.client();
      const listener = new Listener(client, query, { build: buildId });
      await listener.begun();
      expect([listener.errors, listener.messages.length]).toEqual([[], 1]);
      await client.dispose();
    },
  );

  test('the curl example of docs/graphql.md works when pasted', async () => {
    const body = page.match(/-d '(\{[^\n]+\})'/)![1]!.replace('demo', 'acme');
    const control = new AbortController();
    const reply = await fetch(`${live.url}/graphql`, {
      method: 'POST',
      headers: {
        Authorization: live.world.admin.authorization,
        Accept: 'text/event-stream',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body,
      signal: control.signal,
    });
    const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let done = false; !done && !text.includes('event: next');) {
      const part = await reader.read();
      text += part.value ?? '';
      done = part.done;
    }
    expect(text).toContain('"cursor"');
    control.abort();
    await buildOf(live.world, 'steps: [{ command: "true" }]');
  });

  test('the GraphQL documents in examples/ are valid in the schema', async () => {
    const text = readdirSync('examples/operations')
      .map((name) => readFileSync(`examples/operations/${name}`, 'utf8'))
      .join('\n');
    expect(validate(await buildSchema(), parse(text))).toEqual([]);
  });
});
