import { snakeField } from '../../../src/rest/requests/field-names.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import type { Person } from '../../support/world.js';
import { leaveArtifact, things, write, writes, yaml } from './changes.js';

interface Refusal {
  code: string;
  message: string;
  fields: string[];
}

/** The GraphQL error code for each REST status. */
const codes: Record<number, string> = {
  400: 'CONFLICT',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  422: 'CONFLICT',
};

function ofRest({ status, body }: { status: number; body: Data }): Refusal {
  const fields = (body.errors ?? []).map((error: Data) => `${error.field} ${error.code}`);
  return {
    code: fields.length > 0 ? 'BAD_USER_INPUT' : (codes[status] ?? String(status)),
    message: body.message,
    fields: fields.sort(),
  };
}

/** Inputs of mutations call some fields otherwise. */
const onRest: Record<string, string> = {
  'repository.url': 'repository',
  'steps.yaml': 'configuration',
  cancelIntermediateBuildsBranchFilter: 'cancelRunningBranchBuildsFilter',
  skipIntermediateBuildsBranchFilter: 'skipQueuedBranchBuildsFilter',
};

function ofGraphql({ errors }: { errors?: Data[] }): Refusal {
  const [error] = errors ?? [];
  const told: Data[] = error?.extensions.fields ?? [];
  // The message repeats the fields for clients that show only the message.
  const message = told.length > 0 ? error.message.split(': ')[0] : error?.message;
  return {
    code: error?.extensions.code,
    message,
    fields: told.map(({ field, code }) => `${snakeField(onRest[field] ?? field)} ${code}`).sort(),
  };
}

let surfaces: BothSurfaces;
let readOnly: Person;
let readers: Person;
beforeAll(async () => {
  surfaces = await BothSurfaces.open({ teamsEnabled: true });
  readers = await surfaces.world.personWithToken(surfaces.world.admin.id, surfaces.world.admin.email, {
    scopes: ['read_organizations', 'read_pipelines', 'read_builds', 'read_build_logs'],
  });
  readOnly = surfaces.world.member;
  // A refusal changes nothing, so one world serves all tests except those that prepare a wrong state.
  await seed();
});
afterAll(() => surfaces.close());

const tables = [
  'pipelines',
  'builds',
  'jobs',
  'events',
  'audit_events',
  'outbox_messages',
  'build_meta_data',
  'idempotency_keys',
  'annotations',
  'artifacts',
  'pipeline_webhooks',
  'pipeline_triggers',
  'provider_connections',
  'notification_services',
  'notification_deliveries',
];

/** A pipeline that its team may only read, with a build that waits at its block. */
async function seed(): Promise<void> {
  const { world } = surfaces;
  const pipeline = await world.pipeline(yaml);
  const slug = `team-${pipeline.id.slice(-12)}`;
  const teamId = await world.insert('teams', {
    organizationId: world.organization.id,
    slug,
    name: slug,
    membersCanCreatePipelines: false,
  });
  await world.insert('team_members', {
    organizationId: world.organization.id,
    teamId,
    userId: world.member.id,
    role: 'member',
  });
  await world.insert('team_pipelines', {
    organizationId: world.organization.id,
    teamId,
    pipelineId: pipeline.id,
    accessLevel: 'read_only',
  });
  await surfaces.read(write('build.create').rest(await things(surfaces)));
  await surfaces.read(write('annotation.create').rest(await things(surfaces)));
  await leaveArtifact(surfaces);
  await surfaces.read(write('pipeline-trigger.create').rest(await things(surfaces)));
  const known = await world.services.db.selectFrom('provider_connections').select('id').executeTakeFirst();
  const service = await world.services.db.selectFrom('notification_services').select('id').executeTakeFirst();
  if (!service) {
    await surfaces.read(write('notification-service.create').rest(await things(surfaces)));
    await surfaces.read(write('notification-service.ping').rest(await things(surfaces)));
  }
  if (!known)
    await surfaces.read(
      write('provider-connection.create').rest(await things(surfaces), {
        provider: 'github_enterprise',
        api_url: 'http://127.0.0.1:9',
        token: 'x',
      }),
    );
}

/** Checks that both surfaces refuse alike and change nothing; returns the refusal. */
async function refused(
  operation: string,
  { person, rest, graphql }: { person?: Person; rest?: object; graphql?: object } = {},
): Promise<Refusal> {
  const at = await things(surfaces);
  const before = await surfaces.digests(tables);
  const atRest = ofRest(await surfaces.rest(write(operation).rest(at, rest), person));
  expect(ofGraphql(await surfaces.graphql(write(operation).graphql(at, graphql), person))).toEqual(atRest);
  expect(await surfaces.digests(tables)).toEqual(before);
  return atRest;
}

const names = Object.keys(writes);
/** As little as lets the input of a new pipeline through. */
const least: Record<string, { rest: object; graphql: object }> = {
  'pipeline.create': {
    rest: { name: 'New', repository: 'https://github.com/acme/new', configuration: yaml },
    graphql: { name: 'New', repository: { url: 'https://github.com/acme/new' }, steps: { yaml } },
  },
  'provider-connection.create': {
    rest: { provider: 'github', token: 'x' },
    graphql: { provider: 'github', token: 'x' },
  },
};

describe.each(names)('refusals of %s', (operation) => {
  test('both surfaces answer a stranger as for an absent resource', async () => {
    expect(await refused(operation, { ...least[operation], person: surfaces.world.outsider })).toEqual({
      code: 'NOT_FOUND',
      message: 'Not Found',
      fields: [],
    });
  });

  test('both surfaces refuse a token without the scope, naming the scope', async () => {
    const { code, message } = await refused(operation, { ...least[operation], person: readers });
    expect([code, message]).toEqual([
      'FORBIDDEN',
      expect.stringMatching(/^Your access token doesn't have the write_\w+ scope$/),
    ]);
  });

  test('both surfaces refuse a caller with read access only', async () => {
    const { code } = await refused(operation, { ...least[operation], person: readOnly });
    // Where teams are enabled, a member without a team to put a pipeline in gets an error about the input.
    expect(code).toBe(operation === 'pipeline.create' ? 'BAD_USER_INPUT' : 'FORBIDDEN');
  });
});

describe('writes in a wrong state', () => {
  beforeEach(seed);
  const db = () => surfaces.world.services.db;
  const archived = async (at: Data) =>
    db()
      .updateTable('pipelines')
      .set({ archivedAt: surfaces.world.clock.now() })
      .where('id', '=', at.pipeline.id)
      .execute();
  const jobs = (fields: object) => async (at: Data) =>
    db().updateTable('jobs').set(fields).where('buildId', '=', at.build.id).execute();
  const builds = (fields: object) => async (at: Data) =>
    db().updateTable('builds').set(fields).where('id', '=', at.build.id).execute();
  test.each<[string, string, (at: Data) => Promise<unknown>]>([
    ['pipeline.update', 'an archived pipeline', archived],
    ['pipeline.archive', 'an archived pipeline', archived],
    ['pipeline.unarchive', 'an active pipeline', async () => undefined],
    ['pipeline.create-webhook', 'an archived pipeline', archived],
    ['pipeline.create-webhook', 'a repository without a connection', async () => undefined],
    ['pipeline.set-webhook-secret', 'an archived pipeline', archived],
    ['pipeline-trigger.create', 'an archived pipeline', archived],
    ['pipeline-trigger.update', 'an archived pipeline', archived],
    [
      'notification-service.ping',
      'a service that is off',
      async () => db().updateTable('notification_services').set({ enabled: false }).execute(),
    ],
    [
      'notification-delivery.redeliver',
      'a delivery on its way',
      async () => db().updateTable('notification_deliveries').set({ state: 'pending' }).execute(),
    ],
    ['build.create', 'an archived pipeline', archived],
    ['build.rebuild', 'an archived pipeline', archived],
    [
      'build.rebuild',
      'a pipeline without rebuilds',
      async (at) =>
        db().updateTable('pipelines').set({ allowRebuilds: false }).where('id', '=', at.pipeline.id).execute(),
    ],
    ['build.cancel', 'a build that has passed', builds({ state: 'passed' })],
    ['job.retry', 'a job that has not failed', async () => undefined],
    [
      'job.retry',
      'a job of a canceled build',
      async (at) => (await builds({ state: 'canceled' })(at), jobs({ state: 'finished', passed: false })(at)),
    ],
    [
      'build.retry-failed-jobs',
      'a canceled build',
      async (at) => (await builds({ state: 'canceled' })(at), jobs({ state: 'finished', passed: false })(at)),
    ],
    [
      'job.reprioritize',
      'a job that runs',
      async (at) => jobs({ state: 'running', startedAt: surfaces.world.clock.now() })(at),
    ],
    ['job.reprioritize', 'a job that is over', jobs({ state: 'canceled' })],
    ['job.unblock', 'a block that was not reached', jobs({ state: 'waiting' })],
    ['job.unblock', 'a block of a canceled build', builds({ state: 'canceled' })],
    [
      'job.log.delete',
      'a job that runs',
      async (at) => jobs({ state: 'running', startedAt: surfaces.world.clock.now() })(at),
    ],
  ])('both surfaces refuse %s alike for %s', async (operation, _what, prepare) => {
    await prepare(await things(surfaces));
    expect(await refused(operation)).toMatchObject({ code: 'CONFLICT', fields: [] });
  });
});

describe('writes with invalid input', () => {
  beforeAll(seed);
  const base = least['pipeline.create'];
  test.each<[string, string, object, object]>([
    ['pipeline.create', 'blank name', { ...base?.rest, name: ' ' }, { ...base?.graphql, name: ' ' }],
    [
      'pipeline.create',
      'no steps',
      { name: 'A', repository: 'https://github.com/a/b' },
      { name: 'A', repository: { url: 'https://github.com/a/b' } },
    ],
    [
      'pipeline.create',
      'bad YAML',
      { ...base?.rest, configuration: 'steps: [' },
      { ...base?.graphql, steps: { yaml: 'steps: [' } },
    ],
    ...[
      ['texts that parallelism multiplies', `steps: [{ command: ${'x'.repeat(250_000)}, parallelism: 500 }]`],
      [
        'aliases that grow',
        `x: &t ${'x'.repeat(20_000)}\nsteps: [{ command: a, env: { ${Array.from({ length: 770 }, (_none, index) => `V${index}: *t `).join(', ')} } }]`,
      ],
      ['a command above its limit', `steps: [{ command: ${'x'.repeat(300_000)} }]`],
    ].map(([what = '', yaml]): [string, string, object, object] => [
      'pipeline.create',
      what,
      { ...base?.rest, configuration: yaml },
      { ...base?.graphql, steps: { yaml } },
    ]),
    [
      'pipeline.create',
      'bad repository',
      { ...base?.rest, repository: '' },
      { ...base?.graphql, repository: { url: '' } },
    ],
    ['pipeline.create', 'bad slug', { ...base?.rest, slug: '-No-' }, { ...base?.graphql, slug: '-No-' }],
    [
      'pipeline.create',
      'a cluster that is not there',
      { ...base?.rest, cluster_id: 'x' },
      { ...base?.graphql, clusterId: 'x' },
    ],
    [
      'pipeline.update',
      'bad color and filter',
      { color: 'red', cancel_running_branch_builds_filter: 'x'.repeat(5_000) },
      { color: 'red', cancelIntermediateBuildsBranchFilter: 'x'.repeat(5_000) },
    ],
    ['pipeline.update', 'smaller build number', { next_build_number: 1 }, { nextBuildNumber: 1 }],
    [
      'pipeline.update',
      'timeouts',
      { default_command_step_timeout: 0, maximum_command_step_timeout: -1 },
      { defaultTimeoutInMinutes: 0, maximumTimeoutInMinutes: -1 },
    ],
    [
      'pipeline.update',
      'too many tags',
      { tags: Array.from({ length: 50 }, (_, index) => `t${index}`) },
      { tags: Array.from({ length: 50 }, (_, index) => ({ label: `t${index}` })) },
    ],
    ['pipeline.update', 'provider settings that are a list', { provider_settings: [] }, { providerSettings: '[]' }],
    [
      'pipeline-trigger.create',
      'an unknown kind and a blank branch',
      { kind: 'x', branch: ' ', env: { A: 1 } },
      { kind: 'x', branch: ' ', env: '{ "A": 1 }' },
    ],
    ['pipeline.set-webhook-secret', 'blank secret', { secret: '' }, { secret: '' }],
    [
      'provider-connection.create',
      'an unknown provider',
      { provider: 'sourceforge', token: 'x' },
      { provider: 'sourceforge', token: 'x' },
    ],
    [
      'provider-connection.create',
      'a missing URL',
      { provider: 'github_enterprise', token: 'x' },
      { provider: 'github_enterprise', token: 'x' },
    ],
    [
      'provider-connection.create',
      'an invalid URL',
      { provider: 'github', api_url: 'ftp://x', token: ' ' },
      { provider: 'github', apiUrl: 'ftp://x', token: ' ' },
    ],
    ['build.create', 'blank commit', { commit: '' }, { commit: '' }],
    ['build.create', 'blank branch', { branch: '' }, { branch: '' }],
    ['build.create', 'meta-data without a key', { meta_data: { '': 'v' } }, { metaData: [{ key: '', value: 'v' }] }],
    ['build.create', 'a huge message', { message: 'x'.repeat(300_000) }, { message: 'x'.repeat(300_000) }],
    ['annotation.create', 'no body', { body: null }, { body: null, context: 'new' }],
    ['annotation.create', 'a priority past ten', { priority: 11 }, { priority: 11 }],
    ['annotation.create', 'a long context', { context: 'x'.repeat(101) }, { context: 'x'.repeat(101) }],
    ['job.unblock', 'fields that are a list', { fields: [] }, { fields: '[]' }],
    ['job.unblock', 'without a required field', {}, {}],
  ])('both surfaces refuse %s with invalid input alike: %s', async (operation, _what, rest, graphql) => {
    expect(await refused(operation, { rest, graphql })).toMatchObject({
      code: 'BAD_USER_INPUT',
      message: 'Validation Failed',
    });
  });

  test('both surfaces refuse to unblock on behalf of a person outside the organization', async () => {
    const id = surfaces.world.outsider.id;
    expect(await refused('job.unblock', { rest: { unblocker: id }, graphql: { unblockerId: id } })).toMatchObject({
      code: 'CONFLICT',
      message: 'Unblocker is not a valid user id for this organization',
    });
  });
});
