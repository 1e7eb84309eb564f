import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { agentRouter } from '../../src/agent-api/router.js';
import { NotificationSender } from '../../src/background/integrations/notifications/deliver-notifications.js';
import { createNotificationService } from '../../src/operations/integrations/notification-services/create.js';
import { restSurface } from '../../src/rest/router.js';
import { createApplication } from '../../src/server/application.js';
import { startTracing, type Tracing } from '../../src/server/start-tracing.js';
import type { Logger } from '../../src/services/services.js';
import { createTrigger } from '../../src/operations/pipelines/triggers/create.js';
import { graphqlRouter } from '../../src/graphql/server/router.js';
import { webhookRouter } from '../../src/webhooks/router.js';
import { encodeNodeId } from '../../src/domain/node-id.js';
import { tracingSettings } from '../../src/tracing/settings.js';
import { Receiver } from '../support/receiver.js';
import { requestsTo } from '../support/requests.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { dispatchOf, ScriptedAgent } from '../support/scripted-agent.js';
import { silent, World } from '../support/world.js';

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

/** A collector that takes OTLP over HTTP, as JSON or protobuf. */
class Collector {
  readonly spans: (WireSpan & { facts: Record<string, unknown> })[] = [];
  readonly resources: Record<string, unknown>[] = [];
  readonly bodies: { type: string | undefined; path: string | undefined; body: Buffer }[] = [];

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Collector> {
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        collector.take(request.headers['content-type'], request.url, Buffer.concat(pieces));
        response.end();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const collector: Collector = new Collector(server);
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private take(type: string | undefined, path: string | undefined, body: Buffer): void {
    this.bodies.push({ type, path, body });
    if (type !== 'application/json') return;
    const facts = (attributes: WireSpan['attributes']) =>
      Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
    for (const { resource, scopeSpans } of JSON.parse(body.toString()).resourceSpans) {
      this.resources.push(facts(resource.attributes));
      for (const { spans } of scopeSpans)
        for (const span of spans as WireSpan[]) this.spans.push({ ...span, facts: facts(span.attributes) });
    }
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

describe('traces', () => {
  let world: World;
  let collector: Collector;
  let app: RequestListener;
  let tracing: Tracing | undefined;
  let stopGraphql: () => Promise<void>;
  const lines: Record<string, unknown>[] = [];
  beforeAll(async () => {
    world = await World.create();
    const log: Logger = { ...silent, info: (fields) => void lines.push(fields as Record<string, unknown>) };
    Object.assign(world.services, { log });
    const graphql = await graphqlRouter(world.services);
    stopGraphql = graphql.stop;
    app = createApplication(
      world.services,
      [
        { path: '/v2', ...restSurface(world.services) },
        { path: '/graphql', router: graphql.router },
        { path: '/webhooks', router: webhookRouter(world.services) },
        { path: '/v3', lane: 'agents', router: agentRouter(world.services, dispatchOf(world)) },
      ],
      { metrics: false },
    );
  });
  beforeEach(async () => void (collector = await Collector.open()));
  afterEach(async () => {
    await tracing?.close();
    collector.close();
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    await stopGraphql();
    await world.close();
  });

  async function trace(variables: Record<string, string>, log: Logger = silent) {
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const { settings } = tracingSettings(environment);
    if (!settings) throw new Error('no traces were asked for');
    tracing = await startTracing(settings, log);
    return tracing.ofEnds(world.services);
  }

  const build = (pipeline: string, headers: Record<string, string> = {}) =>
    requestsTo(app)
      .post(`/v2/organizations/acme/pipelines/${pipeline}/builds`)
      .set({ Authorization: world.admin.authorization, ...headers })
      .send({ commit: 'HEAD', branch: 'main', message: 'Go' });

  test('a request is a trace down to its statements, and its log line names it, the caller and the organization', async () => {
    await world.pipeline('steps: [{ command: "a" }]', { slug: 'traced' });
    await trace({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_SERVICE_NAME: 'ci' });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await build('traced', { traceparent: `00-${traceId}-b7ad6b7169203331-01` }).expect(201);
    await vi.waitFor(() => expect(lines.at(-1)).toMatchObject({ status: 201 }));
    await tracing?.close();
    const own = collector.spans.filter((span) => span.traceId === traceId);
    const request = own.find(({ kind }) => kind === 2);
    expect(request).toMatchObject({
      name: 'POST /v2/organizations/:org/pipelines/:slug/builds',
      parentSpanId: 'b7ad6b7169203331',
      facts: {
        'http.response.status_code': 201,
        'slipway.actor': 'user',
        'slipway.actor_id': world.admin.id,
        'slipway.organization': 'acme',
      },
    });
    const operation = own.find(({ name }) => name === 'build.create');
    expect(operation).toMatchObject({ parentSpanId: request?.spanId, facts: { 'slipway.surface': 'rest' } });
    const statements = own.filter(({ parentSpanId }) => parentSpanId === operation?.spanId);
    expect(statements.length).toBeGreaterThan(2);
    expect(statements.map(({ facts }) => facts['db.system.name'])).toEqual(statements.map(() => 'postgresql'));
    expect(statements.map(({ facts }) => String(facts['db.query.text'])).join('\n')).not.toContain('Go');
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'ci' });
    expect(lines.at(-1)).toMatchObject({
      trace_id: traceId,
      request_id: request?.facts['slipway.request_id'],
      actor: 'user',
      organization: 'acme',
    });
  });

  test('a build is a trace, whose jobs have the spans that agents were told of', async () => {
    const steps = '[{ label: "Unit", command: "a" }, { command: "b", key: "last" }]';
    await world.pipeline(`agents: { queue: macos }\nsteps: ${steps}`, { slug: 'built' });
    const agent = await ScriptedAgent.connected(app, world.agentToken, { meta_data: ['queue=macos'] });
    const stop = await trace({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
    const { body } = await build('built').expect(201);
    const parents = new Map<string, string>();
    for (const exitStatus of ['0', '3']) {
      world.clock.advance(10);
      const { job } = await agent.ping();
      const accepted = await agent.accept(job?.id ?? '');
      parents.set(job?.id ?? '', accepted.body.traceparent);
      await agent.start(job?.id ?? '').expect(200);
      world.clock.advance(60);
      await agent.finish(job?.id ?? '', { exit_status: exitStatus }).expect(200);
    }
    await stop();
    const traceId = String(body.id).replaceAll('-', '');
    const own = collector.spans.filter((span) => span.traceId === traceId);
    const root = own.find(({ parentSpanId }) => parentSpanId === undefined);
    expect(root).toMatchObject({
      name: 'BUILD built',
      status: { code: 2 },
      facts: {
        'cicd.pipeline.result': 'failure',
        'cicd.pipeline.run.id': body.id,
        'cicd.pipeline.run.url.full': 'http://slipway.test/acme/built/builds/1',
        'buildkite.build.number': 1,
      },
    });
    const jobs = own.filter(({ parentSpanId }) => parentSpanId === root?.spanId);
    expect(jobs.map(({ facts }) => facts['cicd.pipeline.task.run.id']).sort()).toEqual([...parents.keys()].sort());
    for (const job of jobs) {
      expect(parents.get(String(job.facts['cicd.pipeline.task.run.id']))).toBe(`00-${traceId}-${job.spanId}-01`);
      expect(job.facts['cicd.worker.id']).toBe(agent.id);
      expect(BigInt(job.endTimeUnixNano)).toBeGreaterThan(BigInt(job.startTimeUnixNano));
    }
    expect(jobs.map(({ name }) => name).sort()).toEqual(['Unit', 'last']);
    expect(jobs.map(({ facts }) => facts['cicd.pipeline.task.run.result']).sort()).toEqual(['failure', 'success']);
    expect(jobs.filter(({ facts }) => facts['error.type'] === 'exit_status_3')).toHaveLength(1);
  });

  test.each(['01', '00'])(
    'a build that a caller created within a trace is part of it, and its jobs too, sampled by flags %s',
    async (flags) => {
      const traceId = `${flags}f7651916cd43dd8448eb211c80319c`;
      const caller = `00-${traceId}-b7ad6b7169203331-${flags}`;
      const slug = `child-${flags}`;
      await world.pipeline(`agents: { queue: macos }\nsteps: [{ command: "a" }]`, { slug });
      const agent = await ScriptedAgent.connected(app, world.agentToken, { meta_data: ['queue=macos'] });
      const stop = await trace({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
      const { body } = await build(slug, { traceparent: caller }).expect(201);
      const { job } = await agent.ping();
      const accepted = await agent.accept(job?.id ?? '');
      expect(accepted.body.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-${flags}$`));
      await agent.start(job?.id ?? '').expect(200);
      await agent.finish(job?.id ?? '', { exit_status: '0' }).expect(200);
      await stop();
      const own = collector.spans.filter(({ facts }) => facts['cicd.pipeline.run.id'] === body.id);
      const root = own.find(({ name }) => name === `BUILD ${slug}`);
      const ofJob = own.find(({ parentSpanId }) => parentSpanId === root?.spanId);
      if (flags === '00') return void expect(own).toEqual([]);
      expect(root).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' });
      expect(ofJob).toMatchObject({ traceId, spanId: accepted.body.traceparent.split('-')[2] });
    },
  );

  test('GraphQL, rebuilds and pipeline triggers take the caller’s trace too, and nonsense is no trace', async () => {
    const caller = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const stored = async (id: string) =>
      (
        await world.services.db
          .selectFrom('builds')
          .select('traceparent')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).traceparent;
    const { id: pipelineId } = await world.pipeline('steps: [{ command: "a" }]', { slug: 'doors' });
    const rest = await build('doors', { traceparent: caller }).expect(201);
    expect(await stored(rest.body.id)).toBe(caller);
    const odd = await build('doors', { traceparent: `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01` }).expect(201);
    expect(await stored(odd.body.id)).toBeNull();

    const rebuilt = await requestsTo(app)
      .put(`/v2/organizations/acme/pipelines/doors/builds/${odd.body.number}/rebuild`)
      .set({ Authorization: world.admin.authorization, traceparent: caller });
    expect(await stored(rebuilt.body.id)).toBe(caller);

    const { body } = await requestsTo(app)
      .post('/graphql')
      .set({ Authorization: world.admin.authorization, traceparent: caller })
      .send({
        query: 'mutation ($input: BuildCreateInput!) { buildCreate(input: $input) { build { uuid } } }',
        variables: { input: { pipelineID: encodeNodeId('Pipeline', pipelineId), branch: 'main', commit: 'HEAD' } },
      });
    expect(body.errors).toBeUndefined();
    expect(await stored(body.data.buildCreate.build.uuid)).toBe(caller);

    const { token } = await world.perform(world.admin, createTrigger, { pipeline: { id: pipelineId } });
    const triggered = await requestsTo(app)
      .post(`/webhooks/deliver/${token}`)
      .set({ traceparent: caller })
      .send({})
      .expect(201);
    expect(await stored(triggered.body.id)).toBe(caller);
  });

  test('what leaves through the outbox and to receivers has spans, and the default is protobuf', async () => {
    const receiver = await Receiver.open();
    await world.perform(world.admin, createNotificationService, {
      organization: { slug: 'acme' },
      description: 'hook',
      settings: { url: receiver.url, events: ['build.scheduled'] },
    });
    await trace({});
    await build('built').expect(201);
    const sender = new NotificationSender(world.services);
    while (await sender.round());
    await sender.settle();
    await runUntilIdle(world.services);
    await tracing?.close();
    await receiver.close();
    expect(receiver.received.length).toBeGreaterThan(0);
    const [first] = collector.bodies;
    expect(first).toMatchObject({ type: 'application/x-protobuf', path: '/v1/traces' });
    const text = Buffer.concat(collector.bodies.map(({ body }) => body)).toString('latin1');
    for (const name of ['deliver notification', 'outbox log.compact', 'build.create']) expect(text).toContain(name);
  });

  test('a collector that is away disturbs nobody, and is one line in the log', async () => {
    const warnings: string[] = [];
    const stop = await trace(
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_TIMEOUT: '500' },
      { ...silent, warn: (_fields, message) => void warnings.push(message) },
    );
    await build('built').expect(201);
    await build('built').expect(201);
    await stop();
    await tracing?.close();
    expect(warnings).toEqual(['traces could not be sent']);
  });
});

describe('the settings of traces', () => {
  test.each([
    ['nothing', {}, null, []],
    ['a name alone', { OTEL_SERVICE_NAME: 'ci' }, null, []],
    ['an address', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' }, 'http/protobuf', []],
    ['an address for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c' }, 'http/protobuf', []],
    ['an exporter', { OTEL_TRACES_EXPORTER: 'otlp' }, 'http/protobuf', []],
    ['no exporter', { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' }, null, []],
    ['a disabled SDK', { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c' }, null, []],
    ['gRPC', { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, null, []],
    ['another exporter', { OTEL_TRACES_EXPORTER: 'zipkin' }, null, []],
    [
      'a wrong ratio',
      { OTEL_TRACES_EXPORTER: 'otlp', OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '7' },
      'http/protobuf',
      [/from 0 to 1, not 7/],
    ],
  ] as const)('%s', (_name, variables, protocol, warnings) => {
    const { settings, warnings: given } = tracingSettings(variables);
    expect(settings?.protocol ?? null).toBe(protocol);
    expect(given).toEqual(warnings.map((warning) => expect.stringMatching(warning)));
  });
});
