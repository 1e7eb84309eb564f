import { settle } from '../../src/background/background.js';
import { BothDoors, type Data } from '../support/both-doors.js';
import { agentApp, buildOf, ScriptedAgent } from '../support/scripted-agent.js';
import { clusterThings, type ClusterThings, clusterWrite } from './clusters-story.js';

let doors: BothDoors;
let at: ClusterThings;
let clusterPath: string;
beforeAll(async () => {
  doors = await BothDoors.open();
  const { world } = doors;
  await buildOf(world, 'steps: [{ command: a }]');
  const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken, { os: 'Debian', meta_data: ['queue=default', 'a=b'] });
  await agent.takeJob();
  world.clock.advance(1);
  const teamId = await world.insert('teams', { organizationId: world.organization.id, slug: 'ops', name: 'Ops' });
  for (const [operation, body] of [
    ['cluster.create', { name: 'Furnished' }], ['queue.create', { key: 'one' }], ['agent-token.create', { description: 'd', allowed_ip_addresses: '::1', expires_at: '2030-01-01' }],
    ['secret.create', { key: 'KEY', value: 'v', description: 'd', policy: '- build_branch: main' }], ['cluster-maintainer.create', { user: world.member.id }], ['cluster-maintainer.create', { team: teamId }],
    ['pipeline-schedule.create', { cronline: '*/10 * * * *', label: 'l', message: 'm', env: { A: '1', B: 'x=y' } }],
  ] as const) await doors.read(clusterWrite(operation).rest(await clusterThings(doors), body));
  at = await clusterThings(doors);
  await doors.read(clusterWrite('agent.pause').rest(at, { note: 'n' }));
  clusterPath = `/organizations/acme/clusters/${at.cluster.id}`;
});
afterAll(() => doors.close());

const without = (reply: Data, ...names: string[]) => Object.fromEntries(Object.entries(reply).filter(([name]) => !names.includes(name)));
const userFields = 'id uuid name email avatar { url }';
const user = (found: Data) => found && { id: found.uuid, graphql_id: found.id, name: found.name, email: found.email, avatar_url: found.avatar.url };
const person = (reply: Data) => reply && without(reply, 'created_at');
const nodes = (connection: Data) => connection.edges.map((edge: Data) => edge.node);
const ofCluster = async (selection: string) => (await doors.select([`query ($id: ID!) { organization(slug: "acme") { cluster(id: $id) { ${selection} } } }`, { id: at.cluster.id }])).organization.cluster;

test('agent tokens', async () => {
  const { agentTokens } = await ofCluster(`agentTokens(first: 10) { edges { node { id uuid description allowedIpAddresses expiresAt createdBy { ${userFields} } cluster { uuid } } } }`);
  const mapped = nodes(agentTokens).map((token: Data) => ({ id: token.uuid, graphql_id: token.id, description: token.description, allowed_ip_addresses: token.allowedIpAddresses, expires_at: token.expiresAt, created_by: user(token.createdBy) }));
  const replies = await doors.read(['get', `${clusterPath}/tokens`]);
  expect(mapped).toEqual(replies.map((reply: Data) => ({ ...without(reply, 'url', 'cluster_url', 'created_at'), created_by: person(reply.created_by) })));
  expect(mapped).toHaveLength(1);
});

test('maintainers', async () => {
  const { maintainers } = await ofCluster('maintainers(first: 10) { count edges { node { id uuid user { id uuid name email } team { id uuid name slug } } } }');
  const mapped = nodes(maintainers).map(({ uuid, user: who, team }: Data) => ({
    id: uuid, actor: who ? { id: who.uuid, graphql_id: who.id, name: who.name, email: who.email, type: 'user' } : { id: team.uuid, graphql_id: team.id, name: team.name, slug: team.slug, type: 'team' },
  }));
  expect(mapped).toEqual(await doors.read(['get', `${clusterPath}/maintainers`]));
  expect(mapped).toHaveLength(2);
});

const secretFields = `id uuid key description policy createdAt updatedAt lastReadAt destroyedAt createdBy { ${userFields} } updatedBy { ${userFields} } cluster { uuid } organization { uuid slug }`;
const secret = (found: Data) => ({
  id: found.uuid, graphql_id: found.id, key: found.key, description: found.description, policy: found.policy, created_at: found.createdAt, updated_at: found.updatedAt, last_read_at: found.lastReadAt,
  created_by: user(found.createdBy), updated_by: user(found.updatedBy), organization: { id: found.organization.uuid, slug: found.organization.slug },
});

test('secrets', async () => {
  const { secrets } = await ofCluster(`secrets(first: 10) { edges { node { ${secretFields} } } }`);
  const replies = (await doors.read(['get', `${clusterPath}/secrets`])).map((reply: Data) => ({
    ...without(reply, 'url', 'cluster_url'), created_by: person(reply.created_by), updated_by: person(reply.updated_by), organization: without(reply.organization, 'url', 'web_url'),
  }));
  expect(nodes(secrets).map(secret)).toEqual(replies);
  const { secret: one } = await doors.select([`query ($id: ID!) { secret(uuid: $id) { ${secretFields} } }`, { id: at.secret.id }]);
  expect(secret(one)).toEqual(replies[0]);
});

test('an agent with its job', async () => {
  const { agent } = await doors.select([
    `query ($slug: ID!) { agent(slug: $slug) { id uuid name connectionState ipAddress hostname userAgent version createdAt connectedAt disconnectedAt lostAt priority metaData paused pausedAt pausedNote pausedTimeoutInMinutes pausedBy { ${userFields} } operatingSystem { name } clusterQueue { key } job { ... on JobTypeCommand { uuid } } } }`,
    { slug: `acme/${at.agent.id}` },
  ]);
  const reply = await doors.read(['get', `/organizations/acme/agents/${at.agent.id}`]);
  expect({
    id: agent.uuid, graphql_id: agent.id, name: agent.name, connection_state: agent.connectionState, ip_address: agent.ipAddress, hostname: agent.hostname, user_agent: agent.userAgent, version: agent.version,
    os_id: agent.operatingSystem.name, queue: agent.clusterQueue.key, created_at: agent.createdAt, connected_at: agent.connectedAt, disconnected_at: agent.disconnectedAt, lost_at: agent.lostAt, job: agent.job.uuid, priority: agent.priority,
    meta_data: agent.metaData, paused: agent.paused, paused_at: agent.pausedAt, paused_by: user(agent.pausedBy), paused_note: agent.pausedNote, paused_timeout_in_minutes: agent.pausedTimeoutInMinutes,
  }).toEqual({ ...without(reply, 'url', 'web_url', 'arch', 'creator', 'stopped_at', 'last_job_finished_at'), job: reply.job.id, paused_by: person(reply.paused_by) });
});

const scheduleFields = `id uuid label cronline message commit branch env enabled nextBuildAt failedAt failedMessage createdAt createdBy { ${userFields} } pipeline { uuid slug }`;
const schedule = (found: Data) => ({
  id: found.uuid, graphql_id: found.id, label: found.label, cronline: found.cronline, message: found.message, commit: found.commit, branch: found.branch,
  env: Object.fromEntries(found.env.map((entry: string) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)])), enabled: found.enabled,
  next_build_at: found.nextBuildAt, failed_at: found.failedAt, failed_message: found.failedMessage, created_at: found.createdAt, created_by: user(found.createdBy), pipeline: { id: found.pipeline.uuid, slug: found.pipeline.slug },
});

test('schedules, what the viewer may do with them, and the builds they made', async () => {
  const { pipeline } = await doors.select([`query ($slug: ID!) { pipeline(slug: $slug) { schedules(first: 10) { count edges { node { ${scheduleFields} } } } } }`, { slug: `acme/${at.pipeline.slug}` }]);
  const replies = (await doors.read(['get', `/organizations/acme/pipelines/${at.pipeline.slug}/schedules`])).map((reply: Data) => ({ ...without(reply, 'url'), created_by: person(reply.created_by), pipeline: without(reply.pipeline, 'url') }));
  expect(nodes(pipeline.schedules).map(schedule)).toEqual(replies);
  const slug = `acme/${at.pipeline.slug}/${at.schedule.id}`;
  doors.world.clock.advance(600);
  await settle(doors.world.services);
  const { pipelineSchedule } = await doors.select([
    `query ($slug: ID!) { pipelineSchedule(slug: $slug) { permissions { pipelineScheduleUpdate { allowed } pipelineScheduleDelete { allowed } } builds(first: 5) { count edges { node { message source { name ... on BuildSourceSchedule { pipelineSchedule { uuid } } } createdBy { __typename } } } } } }`,
    { slug },
  ]);
  expect(pipelineSchedule).toEqual({
    permissions: { pipelineScheduleUpdate: { allowed: true }, pipelineScheduleDelete: { allowed: true } },
    builds: { count: 1, edges: [{ node: { message: 'm', source: { name: 'Schedule', pipelineSchedule: { uuid: at.schedule.id } }, createdBy: null } }] },
  });
});

test('each by its node id, and what is hidden from strangers is null to them', async () => {
  const ids: string[] = [];
  for (const path of [`${clusterPath}/tokens`, `${clusterPath}/secrets`, `/organizations/acme/pipelines/${at.pipeline.slug}/schedules`]) for (const { graphql_id: id } of await doors.read(['get', path])) ids.push(id);
  ids.push(Buffer.from(`ClusterMaintainer---${at.maintainer.id}`).toString('base64'));
  for (const id of ids) {
    expect((await doors.select(['query ($id: ID!) { node(id: $id) { id } }', { id }])).node).toEqual({ id });
    expect((await doors.select(['query ($id: ID!) { node(id: $id) { id } }', { id }], doors.world.outsider)).node).toBeNull();
  }
});
