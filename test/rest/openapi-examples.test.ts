import { leaveStepUpload } from '../support/one-of-everything.js';
import { prepareDemo } from '../../src/commands/demo-installation.js';
import { openApiDocument } from '../../src/rest/openapi.js';
import { exampleId } from '../../src/rest/openapi/request-examples.js';
import { receiveDelivery } from '../../src/operations/integrations/webhook-deliveries/receive.js';
import { storeTestOwnership } from '../../src/operations/suites/test-ownership/store.js';
import { createUpload } from '../../src/operations/suites/uploads/create.js';
import { perform } from '../../src/core/operation.js';
import { webhookTokenOf } from '../../src/resources/pipelines/url-token.js';
import { leaveSearch } from '../support/one-search.js';
import { leaveWorkflow } from '../support/one-workflow.js';
import { agentApp, ScriptedAgent } from '../support/scripted-agent.js';
import type { Person } from '../support/world.js';
import { RestWorld } from './rest-world.js';

interface Sendable {
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  /** Examples of the parameters in the query that are required. */
  query: string;
  body: Record<string, unknown> | undefined;
  required: readonly string[];
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
const document: any = JSON.parse(JSON.stringify(openApiDocument('http://slipway.test')));
const operations: Sendable[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as object).map(([method, { operationId, requestBody, parameters }]) => {
    const { schema, example } = requestBody?.content['application/json'] ?? {};
    return {
      id: operationId,
      method: method as Sendable['method'],
      path: path.replace(/^\/v2/, ''),
      query: requiredQuery(parameters ?? []),
      body: example,
      required: document.components.schemas[schema?.$ref.split('/').at(-1)]?.required ?? [],
    };
  }),
);

function requiredQuery(parameters: readonly Record<string, unknown>[]): string {
  const needed = parameters.filter(({ in: place, required }) => place === 'query' && required);
  return needed.map(({ name, example }) => `?${name}=${example}`).join('');
}

let rest: RestWorld;
let person: Person;
/** Values of path parameters: those of the document's examples, then the ids of what the examples have created. */
const values: Record<string, string> = {};
for (const { name, example } of Object.values(document.components.parameters) as { name: string; example: unknown }[])
  if (example !== undefined && example !== exampleId) values[name] = String(example);
const sent = new Map<string, { status: number; body: unknown }>();
let agentToken: string;
let clusterId: string;

/** Webhooks are created at GitHub, which the demo has no access to. */
const needOutside = ['pipeline.create-webhook', 'pipeline.delete-webhook', 'provider-connection.list-repositories'];

const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
/**
 * A suite has a slug below /analytics and an id below a team; deliveries are of webhooks or of notification services.
 */
function keyOf(path: string, name: string): string {
  if (name === 'suite' && !path.startsWith('/analytics')) return 'suite_id';
  return name === 'delivery' && path.includes('/services/') ? 'notification_delivery' : name;
}
const canSend = ({ path }: Sendable) => parametersOf(path).every((name) => values[keyOf(path, name)] !== undefined);

/** The example with an id of the demo in place of the example's. */
function bodyOf({ body, path }: Sendable): Record<string, unknown> | undefined {
  const ids: Record<string, string | undefined> = {
    user: values['user'],
    user_id: values['user'],
    pipeline_id: values['pipeline'],
    suite_id: values['suite_id'],
    target_pipeline: values['other_pipeline'],
    id: path.endsWith('/execution-tags') ? values['execution'] : undefined,
  };
  return (
    body &&
    (JSON.parse(
      JSON.stringify(body, (key, value: unknown) => (value === exampleId ? (ids[key] ?? value) : value)),
    ) as Record<string, unknown>)
  );
}

/** Whatever has to have happened before a request, where an earlier example has undone it or none does it. */
const preparations: readonly [ids: RegExp, prepare: () => Promise<Record<string, string>>][] = [
  [/^organization-banner\.get$/, () => changed('put', '/organizations/demo/banner', { message: 'Hello' })],
  [/^notification-service\.ping$/, () => changed('put', `${service()}/enable`)],
  [/^notification-delivery\.redeliver$/, () => endedDelivery()],
  [/^test-workflow-delivery\./, () => deliveryOfWorkflow()],
  [/^team-suite\.create$/, () => changed('delete', `${team()}/suites/${values['suite_id']}`)],
  [
    /^team-suite\.delete/,
    async () => {
      await rest.post(`${team()}/suites`, suiteOfTeam(), person);
      return {};
    },
  ],
  [/^agent\.(pause|stop)$/, async () => ({ agent: (await connected()).id })],
  [
    /^agent\.resume$/,
    async () => {
      const { id } = await connected();
      await changed('put', `/organizations/demo/agents/${id}/pause`);
      return { agent: id };
    },
  ],
  [/^job\.(reprioritize|cancel|log\.delete)/, async () => freshJob('steps: [{ command: make }]')],
  [/^job\.unblock/, async () => freshJob('steps: [{ block: Release, fields: [{ text: Release, key: release }] }]')],
  [/^(job\.retry|job-failure\.read)/, () => failedJob()],
  [/^culprit-search\.create/, () => failedCommit()],
  [/^annotation\.(get|delete)\.(job|organization)$/, () => annotatedJob()],
];

const service = () => `/organizations/demo/services/${values['service']}`;
const team = () => `/organizations/demo/teams/${values['team']}`;
const suiteOfTeam = () => ({ suite_id: values['suite_id'], access_level: ['read'] });
const connected = () => ScriptedAgent.connected(agentApp(rest.world), agentToken);

async function changed(method: 'post' | 'put' | 'delete', path: string, body: object = {}) {
  const { status, text } = await rest.request(method, path, person).type('json').send(body);
  if (status >= 400) throw new Error(`${method} ${path} answered ${status} ${text}`);
  return {};
}

/** The first job of a new build of a pipeline with these steps. */
async function freshJob(configuration: string): Promise<Record<string, string>> {
  const slug = `p${sent.size}`;
  const repository = 'https://git.example.com/demo/steps.git';
  await changed('post', '/organizations/demo/pipelines', {
    name: slug,
    repository,
    configuration,
    cluster_id: clusterId,
  });
  const build = { commit: 'HEAD', branch: 'main' };
  const { body } = await rest.post(`/organizations/demo/pipelines/${slug}/builds`, build, person);
  return { slug, number: '1', job: String(body.jobs[0].id) };
}

async function failedJob(configuration = 'steps: [{ command: make }]'): Promise<Record<string, string>> {
  const { services } = rest.world;
  const place = await freshJob(configuration);
  await services.db
    .updateTable('jobs')
    .set({ state: 'finished', passed: false, exitStatus: 1, finishedAt: rest.world.clock.now() })
    .where('id', '=', place['job'] ?? '')
    .execute();
  return place;
}

/** A failed job of the step `test`, of a build of a whole commit. */
async function failedCommit(): Promise<Record<string, string>> {
  const place = await failedJob('steps: [{ command: make, key: test }]');
  await rest.world.services.db
    .updateTable('builds')
    .set({ commit: 'a'.repeat(40) })
    .where('commit', '=', 'HEAD')
    .execute();
  return place;
}

async function endedDelivery(): Promise<Record<string, string>> {
  await rest.world.services.db.updateTable('notification_deliveries').set({ state: 'failed' }).execute();
  return changed('put', `${service()}/enable`);
}

/** An event of a workflow of the suite with an ended delivery. */
async function deliveryOfWorkflow(): Promise<Record<string, string>> {
  const { id: test } = await rest.world.services.db.selectFrom('suite_tests').select('id').executeTakeFirstOrThrow();
  const suite = values['suite_id'] ?? '';
  const { workflow, workflowEvent, workflowDelivery } = await leaveWorkflow(rest.world, { suite, test, person });
  return { workflow, event: workflowEvent, delivery: workflowDelivery };
}

async function annotatedJob(): Promise<Record<string, string>> {
  const path = `/organizations/demo/jobs/${values['job']}/annotations`;
  const { body } = await rest.post(path, { body: 'x', context: `c${sent.size}` }, person);
  return { annotation: body.id };
}

async function send(operation: Sendable): Promise<void> {
  const preparation = preparations.find(([ids]) => ids.test(operation.id));
  const others = (await preparation?.[1]()) ?? {};
  const path = operation.path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => others[name] ?? values[keyOf(operation.path, name)] ?? '',
  );
  const request = rest.request(operation.method, path + operation.query, person);
  const { status, body } = await (operation.body ? request.type('json').send(bodyOf(operation)) : request);
  sent.set(operation.id, { status, body });
  // Several people are invited at a time.
  if (status === 201) remember(operation, (Array.isArray(body) ? body[0] : body) as Record<string, unknown>);
}

/** Keeps what names a new resource in paths: its number or slug where the document has an example, else its id. */
function remember({ path }: Sendable, created: Record<string, unknown>): void {
  const child = operations.find((each) => each.path.startsWith(`${path}/{`) && each.method === 'get');
  const name = child && parametersOf(child.path)[parametersOf(path).length];
  if (!child || name === undefined) return;
  const key = keyOf(child.path, name);
  if (name === 'slug') values['pipeline'] ??= String(created['id']);
  if (key === 'suite') values['suite_id'] ??= String(created['id']);
  if (key in values && ['slug', 'number', 'suite'].includes(key)) return;
  values[key] ??= String(created['id'] ?? created['uuid']);
}

const isCreation = ({ method, path, id }: Sendable) =>
  method === 'post' && !id.includes('redeliver') && !/\/(archive|unarchive|rotate|ping|find|preview)$/.test(path);
const isDeletion = ({ method }: Sendable) => method === 'delete';

/** What agents, test collectors and source providers bring, which no request of /v2 creates. */
async function letOthersWork(): Promise<void> {
  const { world } = rest;
  values['agent'] = (await connected()).id;
  const job = await world.services.db
    .selectFrom('jobs as j')
    .innerJoin('builds as b', 'b.id', 'j.buildId')
    .select(['j.id', 'j.buildId', 'b.pipelineId', 'b.organizationId'])
    .where('b.pipelineId', '=', values['pipeline'] ?? '')
    .executeTakeFirstOrThrow();
  values['job'] = job.id;
  values['build'] = job.buildId;
  const artifact = world.system().newId();
  await world.services.db
    .insertInto('artifacts')
    .values({
      id: artifact,
      organizationId: job.organizationId,
      pipelineId: job.pipelineId,
      buildId: job.buildId,
      jobId: job.id,
      batchId: artifact,
      position: 0,
      state: 'finished',
      path: 'a.html',
      contentType: 'text/html',
      fileSize: 0,
      sha1sum: '',
      createdAt: world.clock.now(),
    })
    .execute();
  values['artifact'] = artifact;
  values['search'] = await leaveSearch(
    world,
    { ...job, id: job.buildId, branch: 'main' },
    { state: 'running', createdById: null, finishedAt: null },
  );
  values['upload'] = await leaveStepUpload(world, {
    organizationId: job.organizationId,
    id: job.buildId,
    jobId: job.id,
  });
  const suite = { kind: 'suite', suiteId: values['suite_id'] ?? '', organizationId: job.organizationId } as const;
  const upload = {
    format: 'json',
    runEnv: { key: 'K' },
    data: [{ scope: 'User', name: 'has a name', result: 'passed' }],
  };
  await perform(storeTestOwnership, world.context(suite), { file: '# nobody yet' });
  values['run'] = (await perform(createUpload, world.context(suite), upload)).run.id;
  values['test'] = (await world.services.db.selectFrom('suite_tests').select('id').executeTakeFirstOrThrow()).id;
  values['execution'] = (
    await world.services.db.selectFrom('suite_executions').select('id').executeTakeFirstOrThrow()
  ).id;
  const pipeline = await world.services.db
    .selectFrom('pipelines')
    .selectAll()
    .where('id', '=', job.pipelineId)
    .executeTakeFirstOrThrow();
  values['delivery'] = (
    await perform(receiveDelivery, world.system(), {
      token: webhookTokenOf(world.services, pipeline),
      sender: 'github',
      event: 'ping',
      deliveryId: 'one',
      headers: [],
      body: Buffer.from('{}'),
      payload: {},
      proof: null,
    })
  ).id;
  await rest.request('post', `/organizations/demo/services/${values['service']}/ping`, person);
  const first = async (path: string) => {
    const { body } = await rest.get(`/organizations/demo/${path}`, person);
    const [row] = Array.isArray(body) ? body : body.items;
    return String(row.id ?? row.uuid);
  };
  values['notification_delivery'] = await first(`services/${values['service']}/deliveries`);
  values['event'] = await first('audit_events');
  values['build_event'] = await first('pipelines/hello/builds/1/events');
  const { id: token } = await world.services.db
    .selectFrom('api_tokens')
    .select('id')
    .where('userId', '=', values['user'] ?? '')
    .executeTakeFirstOrThrow();
  values['api_token'] = token;
}

beforeAll(async () => {
  rest = await RestWorld.create();
  const { world } = rest;
  const demo = await prepareDemo(world.services, { newToken: true });
  ({ agentToken, clusterId } = demo);
  const token = String(demo.apiToken);
  person = { id: '', email: '', token, authorization: `Bearer ${token}` };
  const { id: organizationId } = await world.services.db
    .selectFrom('organizations')
    .select('id')
    .where('slug', '=', 'demo')
    .executeTakeFirstOrThrow();
  // Templates belong to this plan.
  await world.services.db
    .updateTable('organizations')
    .set({ plan: 'enterprise' })
    .where('id', '=', organizationId)
    .execute();
  values['user'] = (await world.person({ organizationId, role: 'member' })).id;
  const other = { name: 'Other', repository: 'https://git.example.com/demo/other.git', configuration: 'steps: []' };
  values['other_pipeline'] = (await rest.post('/organizations/demo/pipelines', other, person)).body.id;
  const creations = operations.filter(isCreation);
  for (let open = creations; open.length > 0;) {
    const ready = open.filter(canSend);
    if (ready.length === 0) break;
    for (const each of ready) await send(each);
    open = open.filter((each) => !sent.has(each.id));
    if (values['job'] === undefined) await letOthersWork();
  }
  const rested = operations.filter((each) => !sent.has(each.id));
  for (const each of rested.filter(({ method }) => method === 'get')) await send(each);
  for (const each of rested.filter((each) => each.method !== 'get' && !isDeletion(each))) await send(each);
  // What is inside others goes first, pipelines after the rules about them, people after their tokens.
  const depth = ({ id, path }: Sendable) =>
    parametersOf(path).length - Number(/^(pipeline|organization-member)\.delete$/.test(id));
  const deletions = rested.filter(isDeletion).sort((a, b) => depth(b) - depth(a));
  for (const each of deletions) await send(each);
});
afterAll(() => rest.close());

describe('examples of openapi.json in the demo organization', () => {
  const inside = operations.filter(({ id }) => !needOutside.includes(id));
  test.each(inside.map((each): [string, Sendable] => [each.id, each]))(
    'the example of %s succeeds as it stands',
    (id, operation) => {
      expect(canSend(operation), `${operation.path}: ${JSON.stringify(values)}`).toBe(true);
      const { status, body } = sent.get(id) ?? { status: 0, body: null };
      expect([status < 400, status, body], `${operation.method} ${operation.path}`).toEqual([true, status, body]);
    },
  );
});
