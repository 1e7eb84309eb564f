import { createAnnotation } from '../../src/operations/annotations/create.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { perform } from '../../src/operations/operation.js';
import { createSuite } from '../../src/operations/suites/create.js';
import { createUpload } from '../../src/operations/uploads/create.js';
import { createMaintainer } from '../../src/operations/clusters/create-maintainer.js';
import { createSchedule } from '../../src/operations/pipeline-schedules/create.js';
import { createSecret } from '../../src/operations/secrets/create.js';
import { createTrigger } from '../../src/operations/pipeline-triggers/create.js';
import { createProviderConnection } from '../../src/operations/provider-connections/create.js';
import { receiveDelivery } from '../../src/operations/webhook-deliveries/receive.js';
import type { Route } from '../../src/rest/route.js';
import { routes } from '../../src/rest/routes.js';
import { agentApp, ScriptedAgent } from '../support/scripted-agent.js';
import type { Person } from '../support/world.js';
import { everyKind, RestWorld } from './rest-world.js';

let rest: RestWorld;
let noScopes: Person;
const here: Record<string, string> = { org: 'acme' };
/** Values of path parameters that name nothing; every other parameter is an id. */
const nothing: Record<string, string> = { slug: 'nothing', number: '99' };
const missingIn = (org: string) => new Proxy({ ...nothing, org }, { get: (known: Record<string, string>, name: string) => known[name] ?? '01900000-0000-7000-8000-000000000000' });
const missing = missingIn('nowhere');

beforeAll(async () => {
  rest = await RestWorld.create({ plan: 'enterprise' });
  const { world } = rest;
  noScopes = await world.personWithToken(world.admin.id, world.admin.email, { scopes: [] });
  const pipeline = await world.pipeline(everyKind, { slug: 'app' });
  const { build } = await world.perform(world.admin, createBuild, { pipeline: { id: pipeline.id }, commit: 'HEAD', branch: 'main' });
  const job = await world.services.db.selectFrom('jobs').select('id').where('buildId', '=', build.id).where('type', '=', 'command').executeTakeFirstOrThrow();
  const { suite } = await world.perform(world.admin, createSuite, { organization: { slug: 'acme' }, name: 'RSpec', defaultBranch: 'main' });
  const upload = { format: 'json', runEnv: { key: 'K' }, data: [{ scope: 'a', name: 'b', result: 'failed', failure_reason: 'no' }] };
  const { run } = await perform(createUpload, world.context({ kind: 'suite', suiteId: suite.id, organizationId: suite.organizationId }), upload);
  const test = await world.services.db.selectFrom('suite_tests').select('id').executeTakeFirstOrThrow();
  Object.assign(here, { suiteSlug: 'rspec', run: run.id, test: test.id });
  const { connection } = await world.perform(world.admin, createProviderConnection, { organization: { slug: 'acme' }, provider: 'github', token: 'ghp_token' });
  const { id: delivery } = await perform(receiveDelivery, world.system(), { token: pipeline.webhookToken, sender: 'github', event: 'ping', deliveryId: 'one', headers: [], body: Buffer.from('{}'), payload: {}, proof: null });
  const { trigger } = await world.perform(world.admin, createTrigger, { pipeline: { id: pipeline.id } });
  Object.assign(here, { delivery, connection: connection.id, trigger: trigger.id });
  Object.assign(here, { slug: 'app', number: '1', job: job.id, cluster: world.clusterId, queue: world.queues.default });
  Object.assign(here, await ofTeams(pipeline.id));
  // Found below the build as below the job.
  const { annotation } = await world.perform(world.admin, createAnnotation, { of: { job: { id: job.id } }, body: 'x' });
  here['annotation'] = annotation.id;
  const artifact = world.system().newId();
  const { organizationId, pipelineId, id: buildId } = build;
  await world.services.db
    .insertInto('artifacts')
    .values({ id: artifact, organizationId, pipelineId, buildId, jobId: job.id, batchId: artifact, position: 0, state: 'finished', path: 'a', contentType: 'text/plain', fileSize: 0, sha1sum: '', createdAt: world.clock.now() })
    .execute();
  here['artifact'] = artifact;
  const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
  const token = await world.services.db.selectFrom('agent_tokens').select('id').executeTakeFirstOrThrow();
  const maintainer = await world.perform(world.admin, createMaintainer, { cluster: { id: world.clusterId }, user: world.member.id });
  const secret = await world.perform(world.admin, createSecret, { cluster: { id: world.clusterId }, key: 'KEY', value: 'v' });
  const schedule = await world.perform(world.admin, createSchedule, { pipeline: { id: pipeline.id }, cronline: '@daily' });
  Object.assign(here, { secret: secret.secret.id, schedule: schedule.pipelineSchedule.id, token: token.id, maintainer: maintainer.clusterMaintainer.id, agent: agent.id, slug: 'app', number: '1', job: job.id, cluster: world.clusterId, queue: world.queues.default });
});
afterAll(() => rest.close());

/** A team with a member, a pipeline and a suite, and a template. */
async function ofTeams(pipelineId: string): Promise<Record<string, string>> {
  const { world } = rest;
  const organizationId = world.organization.id;
  const team = await world.insert('teams', { organizationId, slug: 'core', name: 'Core' });
  const suite = await world.insert('suites', { organizationId, slug: 'unit', name: 'Unit', defaultBranch: 'main', tokenHash: 'hash' });
  await world.insert('team_members', { organizationId, teamId: team, userId: world.member.id, role: 'member' });
  await world.insert('team_pipelines', { organizationId, teamId: team, pipelineId, accessLevel: 'read_only' });
  await world.insert('team_suites', { organizationId, teamId: team, suiteId: suite, accessLevel: ['read'] });
  const template = await world.insert('pipeline_templates', { organizationId, name: 'T', configuration: 'steps: []', createdById: world.admin.id, updatedById: world.admin.id, updatedAt: world.clock.now() });
  return { team, user: world.member.id, suite, pipeline: pipelineId, template };
}

/** Suites go by their slug where their runs are, by their id where teams are. */
const fill = (path: string, values: Record<string, string>) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => values[name === 'suite' && path.startsWith('/analytics') ? 'suiteSlug' : name] ?? '');

/** What a route needs in its body to get as far as looking the thing up. */
const bodies: Record<string, object> = {
  'pipeline.create': { name: 'New', repository: 'git@example.com:a/b.git', configuration: 'steps: []' },
  'annotation.create': { body: 'x' },
  'build.create': { commit: 'HEAD', branch: 'main' },
  'organization-member.update': { role: 'member' },
  'pipeline-template.create': { name: 'New', configuration: 'steps: []' },
  'team.create': { name: 'New' },
  'team-member.create': { user_id: 'x', role: 'member' },
  'team-member.update': { role: 'member' },
  'team-pipeline.create': { pipeline_id: 'x', access_level: 'read_only' },
  'team-pipeline.update': { access_level: 'read_only' },
  'team-suite.create': { suite_id: 'x', access_level: ['read'] },
  'team-suite.update': { access_level: ['read'] },
  'suite.create': { name: 'New', default_branch: 'main' },
  'suite-test.find': { scope: 'a', name: 'b' },
  'suite-test.label': { operator: 'add', labels: ['a'] },
  'agent-token.create': { description: 'd' },
  'cluster.create': { name: 'New' },
  'pipeline-schedule.create': { cronline: '@daily' },
  'queue.create': { key: 'new' },
  'secret.create': { key: 'NEW', value: 'x' },
  'secret.update-value': { value: 'x' },
  'webhook-delivery.preview': { event: 'ping', payload: {} },
  'pipeline.set-webhook-secret': { secret: 'x' },
  'provider-connection.create': { provider: 'github', token: 'x' },
};
const ask = (route: Route, values: Record<string, string>, person?: Person) => rest.request(route.method, fill(route.path, values), person).send(bodies[route.operation.name]);

const rows: [string, Route][] = routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route]);
const inOrganizations = rows.filter(([, route]) => route.path.includes('/organizations/{org}'));

describe.each(rows)('%s', (_name, route) => {
  const { method, operation } = route;

  test('refuses whoever has no token', async () => {
    const reply = await rest.request(method, fill(route.path, here), null);
    if (operation.access === 'anyone') return expect(reply.status).toBe(200);
    expect([reply.status, typeof reply.body.message]).toEqual([401, 'string']);
  });

  test('refuses a token without the scope, naming it', async () => {
    if (operation.scope === null) return;
    const reply = await rest.request(method, fill(route.path, here), noScopes);
    expect(reply.status).toBe(403);
    expect(reply.body.message).toContain(operation.scope);
    expect(reply.headers['x-accepted-oauth-scopes']).toBe(operation.scope);
  });

  test('answers a browser and refuses other methods', async () => {
    const options = await rest.request('options', fill(route.path, here), null);
    expect([options.status, options.headers['allow']]).toEqual([204, expect.stringContaining(method.toUpperCase())]);
    const others = routes.filter((other) => other.path === route.path).map((other) => other.method);
    const unknown = (['patch', 'delete', 'post', 'put'] as const).find((other) => !others.includes(other));
    if (unknown === undefined) throw new Error('a path with every method');
    const reply = await rest.request(unknown, fill(route.path, here));
    expect([reply.status, reply.headers['allow'], typeof reply.body.message]).toEqual([405, options.headers['allow'], 'string']);
  });

  if (method === 'get') {
    test('answers with a trailing slash and to HEAD as without', async () => {
      const [plain, slash, head] = await Promise.all([
        rest.get(fill(route.path, here)),
        rest.get(`${fill(route.path, here)}/`),
        rest.request('head', fill(route.path, here)),
      ]);
      const status = route.reply.kind === 'redirect' ? 302 : 200;
      expect([plain.status, slash.status, head.status]).toEqual([status, status, status]);
      // A list with cursors links to itself by the path it was asked at.
      if (route.reply.kind === 'cursor') return expect(slash.body.items).toEqual(plain.body.items);
      expect(slash.text).toBe(plain.text);
      expect(head.headers['etag']).toBe(plain.headers['etag']);
      // HEAD of a log tells the size of what is stored, whatever the form (rest-facts 2.3.2).
      if (operation.name !== 'job.log.read') expect(head.headers['content-length']).toBe(plain.headers['content-length']);
    });
  }
});

describe.each(inOrganizations)('%s', (_name, route) => {
  test('hides from strangers what is there: the answer is that for what is not', async () => {
    const { outsider } = rest.world;
    const [hidden, absent] = await Promise.all([ask(route, here, outsider), ask(route, missing, outsider)]);
    expect([hidden.status, hidden.text]).toEqual([404, absent.text]);
    expect(withoutId(hidden.headers)).toEqual(withoutId(absent.headers));
  });

  test('and its own organization answers the same for what is missing', async () => {
    if (!/\{(?!org\})/.test(route.path)) return;
    const reply = await ask(route, missingIn('acme'));
    expect([reply.status, reply.body]).toEqual([404, { message: 'Not Found' }]);
  });
});

function withoutId(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !['x-request-id', 'date', 'x-runtime'].includes(name)));
}

test('every operation of the table has a name of its own or a variant', () => {
  const ids = routes.map((route) => `${route.operation.name} ${route.variant ?? ''}`);
  expect(new Set(ids).size).toBe(ids.length);
});
