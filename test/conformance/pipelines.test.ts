import { everyKind, RestWorld } from '../rest/rest-world.js';
import * as v from './values.js';

// Replies have no static type; these tests check them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any;

const all = '/organizations/acme/pipelines';
const repository = 'git@github.com:acme/app.git';
let rest: RestWorld;
const shown: Record<'yaml' | 'visual', Body> = { yaml: null, visual: null };
beforeAll(async () => {
  rest = await RestWorld.create({ plan: 'enterprise' });
  shown.yaml = (await rest.post(all, { name: 'My  First Pipeline', repository, configuration: everyKind })).body;
  const steps = [
    {
      type: 'script',
      name: 'Test',
      command: 'make',
      artifact_paths: 'log/*',
      branch_configuration: 'main',
      env: { A: '1' },
      timeout_in_minutes: 5,
      agent_query_rules: ['queue=default'],
    },
    { type: 'waiter' },
    { type: 'manual', label: 'Go' },
    {
      type: 'trigger',
      label: 'Deploy',
      trigger_project_slug: 'my-first-pipeline',
      trigger_commit: 'HEAD',
      trigger_branch: 'main',
      trigger_async: true,
    },
  ];
  shown.visual = (await rest.post(all, { name: 'Visual', repository, steps, env: { B: '2' } })).body;
});
afterAll(() => rest.close());

const count = v.integer;
const fields: v.FieldRow[] = [
  ['opfjec', 'id', v.uuid],
  ['mdodgd', 'graphql_id', v.text],
  ['cedamj', 'url', v.url],
  ['haoeml', 'web_url', v.url],
  ['gnmdek', 'name', v.is('My  First Pipeline')],
  ['enoemp', 'description', v.nothing],
  ['obmbgj', 'slug', v.is('my-first-pipeline')],
  ['jclmlm', 'repository', v.is(repository)],
  ['kifhcj', 'cluster_id', v.uuid],
  ['kpbfhl', 'pipeline_template_uuid', v.nothing],
  ['cilbhl', 'branch_configuration', v.nothing],
  ['phmidk', 'default_branch', v.is('main')],
  ['nggppj', 'provider', v.shape({ id: v.text, webhook_url: v.url, settings: v.object })],
  ['amcnge', 'skip_queued_branch_builds', v.is(false)],
  ['ohbage', 'skip_queued_branch_builds_filter', v.nothing],
  ['hccjgp', 'cancel_running_branch_builds', v.is(false)],
  ['apdojg', 'cancel_running_branch_builds_filter', v.nothing],
  ['apnoef', 'allow_rebuilds', v.is(true)],
  ['mdbpch', 'builds_url', v.url],
  ['nafbah', 'badge_url', v.url],
  ['glenla', 'created_by', v.userSummary],
  ['hgnogj', 'created_at', v.time],
  ['kjnkfj', 'archived_at', v.nothing],
  ['akokhk', 'env', v.is({ TIER: 'one' })],
  [
    'ncbhna',
    'scheduled_builds_count, running_builds_count, scheduled_jobs_count, running_jobs_count, waiting_jobs_count',
    count,
  ],
  ['hafpan', 'visibility', v.is('private')],
  ['nbcdpo', 'tags', v.orNull(v.listOf(v.text))],
  ['pkldpn', 'configuration', v.is(everyKind)],
  ['bgpgci', 'steps', v.listOf(v.shape({ type: v.oneOf('script', 'waiter', 'manual', 'trigger') }))],
  ['egfold', 'created_by', v.userSummary],
];
test.each(fields)('[api-v2:%s] a pipeline has %s', (_line, names, check) =>
  expect(v.wrongFields(shown.yaml, names, check)).toEqual([]),
);

const nullText = v.orNull(v.text);
const steps: [string, string, v.Check][] = [
  [
    'ogldbn',
    'script',
    v.shape({
      name: v.is('Test'),
      command: v.is('make'),
      artifact_paths: v.is('log/*'),
      branch_configuration: v.is('main'),
      env: v.is({ A: '1' }),
      timeout_in_minutes: v.is(5),
      agent_query_rules: v.is(['queue=default']),
      concurrency: v.nothing,
      parallelism: v.nothing,
    }),
  ],
  ['cfbffa', 'waiter', v.is({ type: 'waiter' })],
  ['ajnhgm', 'manual', v.is({ type: 'manual', label: 'Go' })],
  [
    'cljnei',
    'trigger',
    v.shape({
      label: v.is('Deploy'),
      pipeline: v.is('my-first-pipeline'),
      build: v.shape({ message: nullText, branch: v.is('main'), commit: v.is('HEAD'), env: v.orNull(v.object) }),
      async: v.is(true),
      branch_configuration: nullText,
      concurrency: v.nothing,
      parallelism: v.nothing,
    }),
  ],
  ['hgkmmm', 'script', v.shape({ command: v.is('make') })],
  ['nbbiko', 'waiter', v.is({ type: 'waiter' })],
  ['bklgnn', 'manual', v.shape({ label: v.is('Go') })],
  ['oodijk', 'trigger', v.shape({ pipeline: v.is('my-first-pipeline') })],
];
test.each(steps)('[api-v2:%s] a %s step is accepted and returned', (_line, type, check) => {
  const step = shown.visual.steps.find((each: Body) => each.type === type);
  expect([step, check(step)]).toEqual([step, true]);
});

describe('provider settings', () => {
  const flags: [string, string][] = [
    ['hnmjhl', 'filter_enabled'],
    ['omkcbj', 'build_branches'],
    ['gjmipg', 'build_pull_requests'],
    ['enoaai', 'build_tags'],
    ['elnjkb', 'cancel_deleted_branch_builds'],
    ['ioneff', 'publish_commit_status'],
    ['bppfik', 'publish_commit_status_per_step'],
    ['khaiij', 'pull_request_branch_filter_enabled'],
    ['jkpkhj', 'skip_builds_for_existing_commits'],
    ['aoddfh', 'skip_pull_request_builds_for_existing_commits'],
    ['fhlhai', 'build_pull_request_forks'],
    ['lhpndi', 'build_pull_request_labels_changed'],
    ['cobhlp', 'build_pull_request_ready_for_review'],
    ['afgkcn', 'prefix_pull_request_fork_branch_names'],
    ['faiaia', 'publish_blocked_as_pending'],
    ['aboopb', 'separate_pull_request_statuses'],
  ];
  const rows: [string, string, unknown, unknown][] = [
    ...flags.map(([line, key]): [string, string, unknown, unknown] => [line, key, true, 'yes']),
    ['ifdalf', 'filter_condition', 'build.branch == "main"', 'build.'],
    ['ncfhal', 'pull_request_branch_filter_configuration', 'main release/*', 5],
    ['koffjp', 'trigger_mode', 'fork', 'sometimes'],
  ];
  test.each(rows)(
    '[api-v2:%s] the setting %s is stored, and refused with a value of another type',
    async (_line, key, value, wrong) => {
      const kept = await rest.request('patch', `${all}/visual`).send({ provider_settings: { [key]: value } });
      expect([kept.status, kept.body.provider.settings[key]]).toEqual([200, value]);
      const refused = await rest.request('patch', `${all}/visual`).send({ provider_settings: { [key]: wrong } });
      expect([refused.status, refused.body.errors[0].field]).toEqual([422, `provider_settings.${key}`]);
    },
  );

  test('a repository on another host has the three build settings and the two filter settings [api-v2:klgpjo]', async () => {
    const { body } = await rest.post(all, {
      name: 'Server',
      repository: 'ssh://git@git.internal/app.git',
      configuration: everyKind,
      provider_settings: {
        build_tags: true,
        build_branches: false,
        build_pull_requests: false,
        trigger_mode: 'none',
      },
    });
    expect(body.provider.settings).toEqual({
      build_branches: false,
      build_pull_requests: false,
      build_tags: true,
      filter_enabled: false,
      repository: 'app',
    });
    // An addition, shown while it is on: a connection to such a host could not be told anything without it.
    const send = (publish_commit_status: boolean) =>
      rest.request('patch', `${all}/${body.slug}`).send({ provider_settings: { publish_commit_status } });
    expect((await send(true)).body.provider.settings).toEqual({
      ...body.provider.settings,
      publish_commit_status: true,
    });
    expect((await send(false)).body.provider.settings).toEqual(body.provider.settings);
  });

  test("provider settings include the repository as owner/name, and the provider's name [api-v2:pfddha,bgijgi]", () => {
    expect([shown.yaml.provider.id, shown.yaml.provider.settings.repository]).toEqual(['github', 'acme/app']);
  });
});

const create = (more: object) => rest.post(all, { repository, configuration: everyKind, ...more });
const errorsOf = ({ status, body }: Body) => [status, body.message, body.errors?.map((error: Body) => error.field)];

describe('slugs and names', () => {
  test('slugs turn runs of spaces into one hyphen and lower the case; null counts as absent [api-v2:nhckep,cbgcge]', async () => {
    expect(shown.yaml.slug).toBe('my-first-pipeline');
    expect((await create({ name: 'Another   ONE', slug: null })).body.slug).toBe('another-one');
    expect((await create({ name: 'Named', slug: 'Chosen-1' })).body.slug).toBe('Chosen-1');
  });

  test.each(['-a', 'a b', 'ä', '', 'a_b'])(
    'a pipeline cannot have the slug %j [api-v2:chnoen,ncmbli]',
    async (slug) => {
      if (slug !== '')
        expect(errorsOf(await create({ name: 'Slugged', slug }))).toEqual([422, 'Validation Failed', ['slug']]);
      expect(errorsOf(await rest.request('patch', `${all}/visual`).send({ slug: slug || '-' }))).toEqual([
        422,
        'Validation Failed',
        ['slug'],
      ]);
    },
  );

  test('a slug may have 100 characters and not 101 [api-v2:gflbkm,ghpofa]', async () => {
    expect((await create({ name: 'Long', slug: 'a'.repeat(100) })).status).toBe(201);
    expect(errorsOf(await create({ name: 'Longer', slug: 'a'.repeat(101) }))).toEqual([
      422,
      'Validation Failed',
      ['slug'],
    ]);
  });

  test('a pipeline name is unique in its organization [api-v2:gnmdek,oegaff,jehdjd]', async () => {
    expect(errorsOf(await create({ name: 'My  First Pipeline', slug: 'else' }))).toEqual([
      422,
      'Validation Failed',
      ['name'],
    ]);
  });
});

describe('creating a pipeline', () => {
  const properties: [string, string, unknown][] = [
    ['cilbhl,jodmop', 'branch_configuration', 'main release/*'],
    ['hccjgp,ndoema', 'cancel_running_branch_builds', true],
    ['apdojg,aafnjf', 'cancel_running_branch_builds_filter', '!main'],
    ['phmidk,ickang', 'default_branch', 'trunk'],
    ['enoemp,bbmdge', 'description', 'An app'],
    ['amcnge,hlfbkn', 'skip_queued_branch_builds', true],
    ['ohbage,hagbch', 'skip_queued_branch_builds_filter', '!main'],
    ['nbcdpo,fipbjh', 'tags', ['web', ':rocket:']],
    ['hafpan,mdefai', 'visibility', 'public'],
  ];
  test.each(properties)('[api-v2:%s] creating a pipeline accepts %s', async (lines, name, value) => {
    const made = await create({ name: `Property ${lines}`, [name]: value });
    expect([made.status, made.body[name]]).toEqual([201, value]);
    const wrong = await create({ name: `Wrong ${lines}`, [name]: { not: 'this' } });
    expect(errorsOf(wrong)).toEqual([422, 'Validation Failed', [name]]);
  });

  test('creating a pipeline accepts tags and returns their emoji as written [api-v2:nbcdpo]', async () => {
    expect((await create({ name: 'Tagged', tags: [':rocket:'] })).body.tags).toEqual([':rocket:']);
  });

  test('a pipeline is created in a cluster, or in none for null, and can be taken out of its cluster [api-v2:kifhcj,idabmn]', async () => {
    expect((await create({ name: 'Clustered', cluster_id: rest.world.clusterId })).body.cluster_id).toBe(
      rest.world.clusterId,
    );
    expect((await create({ name: 'Free', cluster_id: null })).body.cluster_id).toBeNull();
    expect((await rest.request('patch', `${all}/clustered`).send({ cluster_id: null })).body.cluster_id).toBeNull();
  });

  test('creating a pipeline accepts environment variables beside visual steps [api-v2:fpbhfd]', () =>
    expect(shown.visual.env).toEqual({ B: '2' }));

  test('creating a pipeline accepts provider settings by their keys [api-v2:ghhgck]', async () => {
    expect(
      (await create({ name: 'Provided', provider_settings: { trigger_mode: 'none' } })).body.provider.settings
        .trigger_mode,
    ).toBe('none');
  });

  test('creating a pipeline refuses an unknown template and accepts null for none [api-v2:kpbfhl,opeenk]', async () => {
    expect(
      errorsOf(await create({ name: 'Templated', pipeline_template_uuid: '01900000-0000-7000-8000-000000000000' })),
    ).toEqual([422, 'Validation Failed', ['pipeline_template_uuid']]);
    expect(
      (await create({ name: 'Untemplated', pipeline_template_uuid: null })).body.pipeline_template_uuid,
    ).toBeNull();
  });

  test('creating a pipeline from YAML refuses text that is not YAML [api-v2:ccihob,knkdpa]', async () => {
    const made = await create({ name: 'Quoted', configuration: 'steps:\n  - command: "echo \\"a\\""\n' });
    expect([made.status, made.body.configuration]).toEqual([201, 'steps:\n  - command: "echo \\"a\\""\n']);
    expect(errorsOf(await create({ name: 'Broken', configuration: 'steps: [' }))).toEqual([
      422,
      'Validation Failed',
      ['configuration'],
    ]);
  });

  test('creating a pipeline accepts a list of visual steps [api-v2:ccihob,aefngl]', async () => {
    expect(shown.visual.steps).toHaveLength(4);
    expect(errorsOf(await rest.post(all, { name: 'No list', repository, steps: {} }))).toEqual([
      422,
      'Validation Failed',
      ['steps'],
    ]);
  });

  test('creating a pipeline requires a name, a repository, steps in either form, and a cluster where there is no default [api-v2:kjmmpp,dhedhe,bamcca]', async () => {
    expect(errorsOf(await rest.post(all, {}))).toEqual([
      422,
      'Validation Failed',
      ['name', 'repository', 'configuration'],
    ]);
    expect(errorsOf(await rest.post(all, { name: 'Stepless', repository }))).toEqual([
      422,
      'Validation Failed',
      ['configuration'],
    ]);
    const organizations = rest.world.services.db
      .updateTable('organizations')
      .where('id', '=', rest.world.organization.id);
    await organizations.set({ defaultClusterId: null }).execute();
    expect(errorsOf(await create({ name: 'Clusterless' }))).toEqual([422, 'Validation Failed', ['cluster_id']]);
    await organizations.set({ defaultClusterId: rest.world.clusterId }).execute();
  });

  test('creating a pipeline accepts teams with levels or team_uuids, and requires a team of anyone but administrators [api-v2:lgkbbp,ickpln,imajhi]', async () => {
    const { world } = rest;
    await world.services.db
      .updateTable('organizations')
      .set({ teamsEnabled: true })
      .where('id', '=', world.organization.id)
      .execute();
    const teamId = await world.insert('teams', {
      organizationId: world.organization.id,
      slug: 'crew',
      name: 'Crew',
      membersCanCreatePipelines: true,
    });
    await world.insert('team_members', {
      organizationId: world.organization.id,
      teamId,
      userId: world.member.id,
      role: 'member',
    });
    const as = (person: typeof world.member, more: object) =>
      rest.post(all, { repository, configuration: everyKind, ...more }, person);
    for (const [index, level] of ['read_only', 'build_and_read', 'manage_build_and_read'].entries()) {
      expect((await as(world.member, { name: `Team ${index}`, teams: { [teamId]: level } })).status).toBe(201);
      const row = await world.services.db
        .selectFrom('team_pipelines')
        .select('accessLevel')
        .where('teamId', '=', teamId)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      expect(row.accessLevel).toBe(level);
    }
    expect(errorsOf(await as(world.member, { name: 'Wrong level', teams: { [teamId]: 'owner' } }))).toEqual([
      422,
      'Validation Failed',
      [`teams.${teamId}`],
    ]);
    expect((await as(world.member, { name: 'Deprecated', team_uuids: [teamId] })).status).toBe(201);
    expect((await as(world.member, { name: 'Teamless' })).status).toBe(422);
    expect((await as(world.admin, { name: 'Of an administrator' })).status).toBe(201);
    await world.services.db
      .updateTable('organizations')
      .set({ teamsEnabled: false })
      .where('id', '=', world.organization.id)
      .execute();
    expect((await as(world.admin, { name: 'Teams off', teams: { [teamId]: 'read_only' } })).status).toBe(422);
  });
});

describe('reading and changing', () => {
  const patch = (slug: string, body: object) => rest.request('patch', `${all}/${slug}`).send(body);

  test('GET lists pipelines and returns one, addressed by slugs [api-v2:nilcjm,indcbo,lbakmn,hfankk,cldfii,hjamcn,fcabdf]', async () => {
    const list = await rest.get(all);
    expect([list.status, Array.isArray(list.body)]).toEqual([200, true]);
    const one = await rest.get(`${all}/my-first-pipeline`);
    expect([one.status, one.body]).toEqual([200, list.body.find((each: Body) => each.slug === 'my-first-pipeline')]);
    expect((await rest.get(`${all}/${one.body.id}`)).status).toBe(404);
  });

  test('PATCH changes each property separately [api-v2:kmhjon]', async () => {
    await create({ name: 'Patched' });
    const changes = {
      branch_configuration: 'main',
      cancel_running_branch_builds: true,
      cancel_running_branch_builds_filter: 'x',
      cluster_id: rest.world.clusterId,
      configuration: 'steps: [wait]',
      default_branch: 'dev',
      description: 'd',
      pipeline_template_uuid: null,
      repository: 'git@github.com:acme/b.git',
      skip_queued_branch_builds: true,
      skip_queued_branch_builds_filter: 'y',
      tags: ['t'],
      visibility: 'public',
    };
    for (const [name, value] of Object.entries(changes)) {
      const { status, body } = await patch('patched', { [name]: value });
      expect([name, status, body[name]]).toEqual([name, 200, value]);
    }
    expect(
      (await patch('patched', { provider_settings: { build_tags: true } })).body.provider.settings.build_tags,
    ).toBe(true);
    expect((await patch('patched', { slug: 'patched-2' })).body.slug).toBe('patched-2');
    expect((await patch('patched-2', { name: 'Patched again', slug: 'patched-3' })).body.name).toBe('Patched again');
    expect((await patch('visual', { env: { B: '3' } })).body.env).toEqual({ B: '3' });
  });

  test('renaming a pipeline derives a new slug unless the request has one [api-v2:ecghjl]', async () => {
    await create({ name: 'Before' });
    expect((await patch('before', { name: 'After That' })).body.slug).toBe('after-that');
    expect((await patch('after-that', { name: 'Once More', slug: 'kept' })).body).toMatchObject({
      name: 'Once More',
      slug: 'kept',
    });
  });

  test('updating a pipeline of YAML refuses visual steps and their environment, and changes no teams [api-v2:gchafc,onjagk]', async () => {
    await create({ name: 'Whole' });
    const refused = await patch('whole', { steps: [{ type: 'waiter' }] });
    expect([refused.status, refused.body.message]).toEqual([422, 'Validation Failed']);
    expect((await patch('whole', { env: { NEW: '1' } })).status).toBe(422);
    const { body } = await patch('whole', { teams: { x: 'read_only' } });
    expect([body.configuration, body.env]).toEqual([everyKind, { TIER: 'one' }]);
  });

  test('PATCH refuses invalid fields by name [api-v2:oofkjp,ighgpn,bamcca]', async () => {
    const reply = await patch('visual', { name: '', tags: 5 });
    expect([reply.status, reply.body]).toEqual([
      422,
      {
        message: 'Validation Failed',
        errors: [
          { field: 'name', code: expect.any(String) },
          { field: 'tags', code: expect.any(String) },
        ],
      },
    ]);
  });

  test('a pipeline can be archived and unarchived once each, and while archived it is read-only and its builds remain [api-v2:kjnkfj,nmjfmh,klebbm,odpodl,nogeim,jegbbj]', async () => {
    await create({ name: 'Old' });
    await rest.post(`${all}/old/builds`, { commit: 'HEAD', branch: 'main' });
    const archived = await rest.request('post', `${all}/old/archive`);
    expect([archived.status, v.time(archived.body.archived_at)]).toEqual([200, true]);
    const again = await rest.request('post', `${all}/old/archive`);
    expect([again.status, again.body]).toEqual([422, { message: expect.stringMatching(/could not be archived/) }]);
    expect((await patch('old', { description: 'x' })).status).toBe(422);
    expect((await rest.post(`${all}/old/builds`, { commit: 'HEAD', branch: 'main' })).status).toBe(422);
    expect((await rest.get(`${all}/old/builds`)).body).toHaveLength(1);
    const back = await rest.request('post', `${all}/old/unarchive`);
    expect([back.status, back.body.archived_at]).toEqual([200, null]);
    const twice = await rest.request('post', `${all}/old/unarchive`);
    expect([twice.status, twice.body]).toEqual([422, { message: expect.stringMatching(/could not be unarchived/) }]);
    expect((await patch('old', { description: 'x' })).status).toBe(200);
  });

  test('DELETE removes a pipeline and its data whatever the state of its builds [api-v2:ampkbg,pdhlon]', async () => {
    for (const state of ['active', 'archived']) {
      await create({ name: 'Gone' });
      if (state === 'archived') await rest.request('post', `${all}/gone/archive`);
      const reply = await rest.request('delete', `${all}/gone`);
      expect([reply.status, reply.text]).toEqual([204, '']);
      expect((await rest.get(`${all}/gone`)).status).toBe(404);
    }
  });
});
