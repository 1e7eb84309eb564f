import { operations } from '../../support/operations.js';
import { BothSurfaces, type Data, type RestCall } from '../../support/both-surfaces.js';
import { newSuite, result, upload } from '../../support/suites.js';
import { mutation, suiteWrites as writesInOrder } from './suite-writes.js';

const all = '/analytics/organizations/acme/suites';
const lower = (word: string) => word.toLowerCase();
const without = (reply: Data, ...names: string[]) =>
  Object.fromEntries(Object.entries(reply).filter(([name]) => !names.includes(name)));

describe('reading test suites on both surfaces', () => {
  let surfaces: BothSurfaces;
  let suite: Awaited<ReturnType<typeof newSuite>>;
  let run: string;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    suite = await newSuite(surfaces, 'RSpec');
    await surfaces.read(['patch', suite.path, { application_name: 'App', color: '#aabbcc', emoji: ':x:' }]);
    await surfaces.world.pipeline('steps: [{ command: make }]', { slug: 'app' });
    const build = await surfaces.read([
      'post',
      '/organizations/acme/pipelines/app/builds',
      { commit: 'abc', branch: 'main' },
    ]);
    const failing = {
      result: 'failed',
      failure_reason: 'no',
      failure_expanded: [{ expanded: ['x'], backtrace: ['y'] }],
      location: 'b:1',
      file_name: 'b',
      tags: { os: 'linux' },
    };
    run = (
      await upload(surfaces, suite.authorization, build.id, [
        result('a'),
        result('b', failing),
        result('c', { result: 'skipped' }),
      ])
    ).run_id;
    await upload(surfaces, suite.authorization, 'other', []);
  });
  afterAll(() => surfaces.close());

  const suiteFields = 'id uuid slug name url defaultBranch applicationName color emoji organization { uuid }';
  const suiteOf = (found: Data) => ({
    id: found.uuid,
    graphql_id: found.id,
    organization_id: found.organization.uuid,
    slug: found.slug,
    name: found.name,
    web_url: found.url,
    default_branch: found.defaultBranch,
    application_name: found.applicationName,
    color: found.color,
    emoji: found.emoji,
  });
  const runFields = 'id uuid branch commit state result url createdAt build { uuid }';
  const runOf = (found: Data) => ({
    id: found.uuid,
    branch: found.branch,
    commit_sha: found.commit,
    state: lower(found.state),
    result: lower(found.result),
    web_url: found.url,
    created_at: found.createdAt,
    build_id: found.build?.uuid ?? null,
  });
  const executionFields = `uuid result duration failureReason failureExpanded { expanded backtrace } location createdAt tags { key value } run { uuid url branch commit message key } test { uuid name url }`;
  const executionOf = (found: Data) => ({
    execution_id: found.uuid,
    run_id: found.run.uuid,
    test_id: found.test.uuid,
    run_name: found.run.message ?? found.run.key,
    commit_sha: found.run.commit,
    branch: found.run.branch,
    created_at: found.createdAt,
    result: lower(found.result),
    failure_reason: found.failureReason,
    failure_expanded: found.failureExpanded,
    duration: found.duration,
    location: found.location,
    test_name: found.test.name,
    run_url: found.run.url,
    test_url: found.test.url,
    test_execution_url: `${found.test.url}#${found.uuid}`,
    tags: Object.fromEntries(found.tags.map(({ key, value }: Data) => [key, value])),
  });
  const testFields = `uuid scope name location fileName state stateUntil labels owners url metrics { reliability durationAverage durationSum durationMinimum durationMaximum executionsCount countByResult { passed failed skipped pending unknown } }`;
  const testOf = ({ metrics, ...found }: Data) => ({
    id: found.uuid,
    scope: found.scope,
    name: found.name,
    location: found.location,
    file_name: found.fileName,
    state: lower(found.state),
    labels: found.labels,
    owners: found.owners,
    state_until: found.stateUntil,
    web_url: found.url,
    reliability: metrics.reliability,
    duration_avg: metrics.durationAverage,
    duration_sum: metrics.durationSum,
    duration_min: metrics.durationMinimum,
    duration_max: metrics.durationMaximum,
    executions_count: metrics.executionsCount,
    executions_count_by_result: metrics.countByResult,
  });

  test('both surfaces show the same suite alone, in the list and by its node id', async () => {
    const { suite: found, organization } = await surfaces.select([
      `{ suite(slug: "acme/rspec") { ${suiteFields} } organization(slug: "acme") { suites(first: 10, search: "spec") { count edges { node { ${suiteFields} } } } } }`,
    ]);
    const reply = without(await surfaces.read(['get', suite.path]), 'url', 'oidc_policy');
    expect(suiteOf(found)).toEqual(reply);
    expect(organization.suites.edges.map(({ node }: Data) => suiteOf(node))).toEqual(
      (await surfaces.read(['get', all])).map((each: Data) => without(each, 'url', 'oidc_policy')),
    );
    expect(organization.suites.count).toBe(1);
    const { node } = await surfaces.select([
      `query ($id: ID!) { node(id: $id) { __typename id ... on Suite { ${suiteFields} } } }`,
      { id: found.id },
    ]);
    expect([node.__typename, suiteOf(node)]).toEqual(['Suite', reply]);
  });

  test('both surfaces show the same runs of a suite and of a build', async () => {
    const { suite: found } = await surfaces.select([
      `query ($run: ID!) { suite(slug: "acme/rspec") { run(id: $run) { ${runFields} suite { uuid } passedCount failedCount skippedCount unknownCount finishedAt } runs(first: 10) { edges { node { ${runFields} } } } } }`,
      { run },
    ]);
    const reply = await surfaces.read(['get', `${suite.path}/runs/${run}`]);
    expect(runOf(found.run)).toEqual(without(reply, 'url'));
    expect(found.run).toMatchObject({
      suite: { uuid: suite.id },
      passedCount: 1,
      failedCount: 1,
      skippedCount: 1,
      unknownCount: 0,
      finishedAt: null,
    });
    expect(found.runs.edges.map(({ node }: Data) => runOf(node))).toEqual(
      (await surfaces.read(['get', `${suite.path}/runs`])).map((each: Data) => without(each, 'url')),
    );
    const ofBuild = await surfaces.select([
      `query ($build: ID!) { suite(slug: "acme/rspec") { runs(first: 10, build: $build) { nodes { uuid } } } }`,
      { build: reply.build_id },
    ]);
    expect(ofBuild.suite.runs.nodes.map((each: Data) => each.uuid)).toEqual(
      (await surfaces.read(['get', `${suite.path}/runs?build_id=${reply.build_id}`])).map((each: Data) => each.id),
    );
    const { node } = await surfaces.select([
      `query ($id: ID!) { node(id: $id) { __typename ... on SuiteRun { id ${runFields} } } }`,
      { id: found.run.id },
    ]);
    expect([node.__typename, Buffer.from(node.id, 'base64').toString(), runOf(node)]).toEqual([
      'SuiteRun',
      `Run---${run}`,
      without(reply, 'url'),
    ]);
  });

  test('both surfaces show the same executions of a run and of a test', async () => {
    const { suite: found } = await surfaces.select([
      `query ($run: ID!) { suite(slug: "acme/rspec") { run(id: $run) { executions(first: 10) { nodes { ${executionFields} } } failed: executions(first: 10, result: FAILED) { nodes { ${executionFields} } } }
      test(scope: "a scope", name: "b") { uuid executions(first: 10) { nodes { ${executionFields} } } } } }`,
      { run },
    ]);
    const read = (path: string) => surfaces.read(['get', `${suite.path}/${path}?include_failure_expanded=true`]);
    expect(found.run.executions.nodes.map(executionOf)).toEqual(await read(`runs/${run}/executions`));
    expect(found.run.failed.nodes.map((each: Data) => without(executionOf(each), 'result'))).toEqual(
      await read(`runs/${run}/failed_executions`),
    );
    expect(found.test.executions.nodes.map(executionOf)).toEqual(await read(`tests/${found.test.uuid}/executions`));
  });

  test('both surfaces show the same tests of a suite', async () => {
    const { suite: found } = await surfaces.select([
      `{ suite(slug: "acme/rspec") { test(scope: "a scope", name: "a") { id ${testFields} suite { slug } } missing: test(name: "no") { id } tests(first: 10) { nodes { ${testFields} } } muted: tests(first: 10, state: MUTED) { count } } }`,
    ]);
    const reply = await surfaces.read(['post', `${suite.path}/tests/find`, { scope: 'a scope', name: 'a' }]);
    expect(testOf(found.test)).toEqual(without(reply, 'url'));
    expect([found.missing, found.muted.count, found.test.suite.slug]).toEqual([null, 0, 'rspec']);
    expect(found.tests.nodes.map(testOf)).toEqual(
      (await surfaces.read(['get', `${suite.path}/tests`])).map((each: Data) => without(each, 'url')),
    );
    const { node } = await surfaces.select([
      'query ($id: ID!) { node(id: $id) { ... on SuiteTest { uuid } } }',
      { id: found.test.id },
    ]);
    expect(node.uuid).toBe(reply.id);
  });

  test('a suite run shows its build only to callers who may see the build', async () => {
    const { world } = surfaces;
    await world.services.db
      .updateTable('organizations')
      .set({ teamsEnabled: true })
      .where('id', '=', world.organization.id)
      .execute();
    const organizationId = world.organization.id;
    const teamId = await world.insert('teams', { organizationId, slug: 'readers', name: 'Readers' });
    await world.insert('team_members', { organizationId, teamId, userId: world.member.id, role: 'member' });
    await world.insert('team_suites', { organizationId, teamId, suiteId: suite.id, accessLevel: ['read'] });
    const found = await surfaces.select(
      [`query ($run: ID!) { suite(slug: "acme/rspec") { run(id: $run) { uuid build { uuid } } } }`, { run }],
      world.member,
    );
    expect(found.suite.run).toEqual({ uuid: run, build: null });
    await world.services.db
      .updateTable('organizations')
      .set({ teamsEnabled: false })
      .where('id', '=', world.organization.id)
      .execute();
  });
});

describe('writes to test suites on both surfaces', () => {
  const tables = [
    'suites',
    'suite_runs',
    'suite_tests',
    'suite_executions',
    'test_plans',
    'events',
    'audit_events',
    'outbox_messages',
    'idempotency_keys',
  ];
  let told: [BothSurfaces, BothSurfaces];
  beforeAll(async () => void (told = [await BothSurfaces.open(), await BothSurfaces.open()]));
  afterAll(() => Promise.all(told.map((surfaces) => surfaces.close())));

  test('every write operation of suites is in the table', () => {
    const commands = operations
      .filter(
        ({ kind, name }) => kind === 'command' && /^(suite|suite-test|execution|test-plan|test-workflow)\./.test(name),
      )
      .map(({ name }) => name);
    expect([...new Set(writesInOrder.map(({ operation }) => operation))].sort()).toEqual(commands.sort());
  });

  /** The ids of a world's suite and its test, which comes with the first upload. */
  async function things({ world }: BothSurfaces) {
    const { db } = world.services;
    const suite = await db.selectFrom('suites').select('id').executeTakeFirst();
    const one = await db.selectFrom('suite_tests').select('id').executeTakeFirst();
    const execution = await db.selectFrom('suite_executions').select('id').executeTakeFirst();
    const workflow = await db.selectFrom('test_workflows').select('id').executeTakeFirst();
    return {
      suite: suite?.id ?? '',
      test: one?.id ?? '',
      execution: execution?.id ?? '',
      workflow: workflow?.id ?? '',
      organization: world.organization.id,
    };
  }

  test.each(writesInOrder)(
    '$tells ($operation) leaves the same rows, events and audit on both surfaces',
    async ({ operation, noEvent, noAudit, rest, graphql }) => {
      const [one, other] = told;
      for (const surfaces of told) {
        const { suite } = await things(surfaces);
        const { suite: known } = await surfaces.select(['{ suite(slug: "acme/front-end") { uuid } }']);
        if (known && operation === 'suite-test.label') {
          const { apiToken } = (
            await surfaces.select([
              'mutation ($id: ID!) { suiteUpdate(input: { id: $id, showApiToken: true }) { apiToken } }',
              { id: suite },
            ])
          ).suiteUpdate;
          await upload(surfaces, `Token token="${apiToken}"`, 'K', [result('a')]);
        }
        surfaces.world.clock.advance(1);
      }
      const earlier = await one.rows(tables);
      await one.read(rest(await things(one)));
      await other.select(graphql(await things(other)));
      const rows = await one.rows(tables);
      expect(await other.rows(tables)).toEqual(rows);
      expect(rows['audit_events']?.length).toBe((earlier['audit_events']?.length ?? 0) + (noAudit ? 0 : 1));
      // Deleting a suite deletes the events of its contents too.
      if (!noEvent)
        expect(rows['events']?.length).toBeGreaterThan(
          operation === 'suite.delete' ? 0 : (earlier['events']?.length ?? 0),
        );
    },
  );
});

describe('refused writes to test suites', () => {
  let surfaces: BothSurfaces;
  let suite: Awaited<ReturnType<typeof newSuite>>;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    suite = await newSuite(surfaces, 'RSpec');
  });
  afterAll(() => surfaces.close());

  test('both surfaces answer a stranger as for an absent suite', async () => {
    const { outsider } = surfaces.world;
    for (const [call, name, input] of [
      [['patch', suite.path, { name: 'x' }], 'suiteUpdate', { id: suite.id, name: 'x' }],
      [['delete', suite.path], 'suiteDelete', { id: suite.id }],
    ] as [RestCall, string, object][]) {
      expect((await surfaces.rest(call, outsider)).status).toBe(404);
      expect((await surfaces.graphql(mutation(name, input), outsider)).errors?.[0].extensions.code).toBe('NOT_FOUND');
    }
    expect((await surfaces.read(['get', suite.path])).name).toBe('RSpec');
  });

  test('both surfaces refuse a used suite name alike', async () => {
    const atRest = await surfaces.rest(['post', all, { name: 'RSpec', default_branch: 'main' }]);
    const { errors } = await surfaces.graphql(
      mutation('suiteCreate', { organizationID: surfaces.world.organization.id, name: 'RSpec', defaultBranch: 'main' }),
    );
    expect(atRest).toMatchObject({ status: 422, body: { message: 'Validation failed: Name has already been taken' } });
    expect(errors?.[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      fields: [{ field: 'name', code: 'has already been taken' }],
    });
  });

  test('both surfaces refuse a token without the scope write_suites', async () => {
    const { world } = surfaces;
    const reader = await world.personWithToken(world.admin.id, world.admin.email, {
      scopes: ['read_suites', 'read_organizations'],
    });
    expect((await surfaces.rest(['delete', suite.path], reader)).status).toBe(403);
    expect(
      (await surfaces.graphql(mutation('suiteDelete', { id: suite.id }), reader)).errors?.[0].extensions.code,
    ).toBe('FORBIDDEN');
    expect((await surfaces.select(['{ suite(slug: "acme/rspec") { uuid } }'], reader)).suite.uuid).toBe(suite.id);
  });
});
