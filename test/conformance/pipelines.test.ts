import { everyKind, RestWorld } from '../rest/rest-world.js';
import * as v from './values.js';

// Replies hold what these tests find out.
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
    { type: 'script', name: 'Test', command: 'make', artifact_paths: 'log/*', branch_configuration: 'main', env: { A: '1' }, timeout_in_minutes: 5, agent_query_rules: ['queue=default'] },
    { type: 'waiter' },
    { type: 'manual', label: 'Go' },
    { type: 'trigger', label: 'Deploy', trigger_project_slug: 'my-first-pipeline', trigger_commit: 'HEAD', trigger_branch: 'main', trigger_async: true },
  ];
  shown.visual = (await rest.post(all, { name: 'Visual', repository, steps, env: { B: '2' } })).body;
});
afterAll(() => rest.close());

const count = v.integer;
const fields: v.FieldRow[] = [
  [51, 'id', v.uuid], [52, 'graphql_id', v.text], [53, 'url', v.url], [54, 'web_url', v.url], [55, 'name', v.is('My  First Pipeline')], [56, 'description', v.nothing], [57, 'slug', v.is('my-first-pipeline')],
  [58, 'repository', v.is(repository)], [59, 'cluster_id', v.uuid], [60, 'pipeline_template_uuid', v.nothing], [61, 'branch_configuration', v.nothing], [62, 'default_branch', v.is('main')],
  [63, 'provider', v.shape({ id: v.text, webhook_url: v.url, settings: v.object })], [64, 'skip_queued_branch_builds', v.is(false)], [65, 'skip_queued_branch_builds_filter', v.nothing],
  [66, 'cancel_running_branch_builds', v.is(false)], [67, 'cancel_running_branch_builds_filter', v.nothing], [68, 'allow_rebuilds', v.is(true)], [69, 'builds_url', v.url], [70, 'badge_url', v.url],
  [71, 'created_by', v.userSummary], [72, 'created_at', v.time], [73, 'archived_at', v.nothing], [74, 'env', v.is({ TIER: 'one' })],
  [75, 'scheduled_builds_count, running_builds_count, scheduled_jobs_count, running_jobs_count, waiting_jobs_count', count], [76, 'visibility', v.is('private')],
  [77, 'tags', v.orNull(v.listOf(v.text))], [78, 'configuration', v.is(everyKind)], [79, 'steps', v.listOf(v.shape({ type: v.oneOf('script', 'waiter', 'manual', 'trigger') }))],
  [105, 'created_by', v.userSummary],
];
test.each(fields)('[api-v2:%i] a pipeline has %s', (_line, names, check) => expect(v.wrongFields(shown.yaml, names, check)).toEqual([]));

const nullText = v.orNull(v.text);
const steps: [number, string, v.Check][] = [
  [98, 'script', v.shape({ name: v.is('Test'), command: v.is('make'), artifact_paths: v.is('log/*'), branch_configuration: v.is('main'), env: v.is({ A: '1' }), timeout_in_minutes: v.is(5), agent_query_rules: v.is(['queue=default']), concurrency: v.nothing, parallelism: v.nothing })],
  [99, 'waiter', v.is({ type: 'waiter' })],
  [100, 'manual', v.is({ type: 'manual', label: 'Go' })],
  [101, 'trigger', v.shape({ label: v.is('Deploy'), pipeline: v.is('my-first-pipeline'), build: v.shape({ message: nullText, branch: v.is('main'), commit: v.is('HEAD'), env: v.orNull(v.object) }), async: v.is(true), branch_configuration: nullText, concurrency: v.nothing, parallelism: v.nothing })],
  [352, 'script', v.shape({ command: v.is('make') })], [353, 'waiter', v.is({ type: 'waiter' })], [354, 'manual', v.shape({ label: v.is('Go') })], [355, 'trigger', v.shape({ pipeline: v.is('my-first-pipeline') })],
];
test.each(steps)('[api-v2:%i] a %s step is taken and shown', (_line, type, check) => {
  const step = shown.visual.steps.find((each: Body) => each.type === type);
  expect([step, check(step)]).toEqual([step, true]);
});

describe('provider settings', () => {
  const flags: [number, string][] = [
    [250, 'filter_enabled'], [259, 'build_branches'], [260, 'build_pull_requests'], [261, 'build_tags'], [262, 'cancel_deleted_branch_builds'], [263, 'publish_commit_status'], [264, 'publish_commit_status_per_step'],
    [265, 'pull_request_branch_filter_enabled'], [267, 'skip_builds_for_existing_commits'], [268, 'skip_pull_request_builds_for_existing_commits'], [274, 'build_pull_request_forks'], [275, 'build_pull_request_labels_changed'],
    [276, 'build_pull_request_ready_for_review'], [277, 'prefix_pull_request_fork_branch_names'], [278, 'publish_blocked_as_pending'], [279, 'separate_pull_request_statuses'],
  ];
  const rows: [number, string, unknown, unknown][] = [
    ...flags.map(([line, key]): [number, string, unknown, unknown] => [line, key, true, 'yes']),
    [251, 'filter_condition', 'build.branch == "main"', 'build.'],
    [266, 'pull_request_branch_filter_configuration', 'main release/*', 5],
    [280, 'trigger_mode', 'fork', 'sometimes'],
  ];
  test.each(rows)('[api-v2:%i] %s is kept, and refused where it is of another type', async (_line, key, value, wrong) => {
    const kept = await rest.request('patch', `${all}/visual`).send({ provider_settings: { [key]: value } });
    expect([kept.status, kept.body.provider.settings[key]]).toEqual([200, value]);
    const refused = await rest.request('patch', `${all}/visual`).send({ provider_settings: { [key]: wrong } });
    expect([refused.status, refused.body.errors[0].field]).toEqual([422, `provider_settings.${key}`]);
  });

  test('of a server of its own are the three of builds and the two of filters [api-v2:253]', async () => {
    const { body } = await rest.post(all, { name: 'Server', repository: 'ssh://git@git.internal/app.git', configuration: everyKind, provider_settings: { build_tags: true, build_branches: false, build_pull_requests: false, publish_commit_status: true } });
    expect(body.provider.settings).toMatchObject({ build_branches: false, build_pull_requests: false, build_tags: true });
    expect(body.provider.settings).not.toHaveProperty('publish_commit_status');
  });

  test('come with the repository as owner/name, and the name of the provider [api-v2:90,92]', () => {
    expect([shown.yaml.provider.id, shown.yaml.provider.settings.repository]).toEqual(['github', 'acme/app']);
  });
});

const create = (more: object) => rest.post(all, { repository, configuration: everyKind, ...more });
const errorsOf = ({ status, body }: Body) => [status, body.message, body.errors?.map((error: Body) => error.field)];

describe('slugs and names', () => {
  test('a run of spaces is one hyphen, letters are small, null is as good as absent [api-v2:83,372]', async () => {
    expect(shown.yaml.slug).toBe('my-first-pipeline');
    expect((await create({ name: 'Another   ONE', slug: null })).body.slug).toBe('another-one');
    expect((await create({ name: 'Named', slug: 'Chosen-1' })).body.slug).toBe('Chosen-1');
  });

  test.each(['-a', 'a b', 'ä', '', 'a_b'])('%p is no slug [api-v2:84,384]', async (slug) => {
    if (slug !== '') expect(errorsOf(await create({ name: 'Slugged', slug }))).toEqual([422, 'Validation Failed', ['slug']]);
    expect(errorsOf(await rest.request('patch', `${all}/visual`).send({ slug: slug || '-' }))).toEqual([422, 'Validation Failed', ['slug']]);
  });

  test('100 characters are a slug, 101 are not [api-v2:85,567]', async () => {
    expect((await create({ name: 'Long', slug: 'a'.repeat(100) })).status).toBe(201);
    expect(errorsOf(await create({ name: 'Longer', slug: 'a'.repeat(101) }))).toEqual([422, 'Validation Failed', ['slug']]);
  });

  test('a name is taken once in an organization [api-v2:55,86,568]', async () => {
    expect(errorsOf(await create({ name: 'My  First Pipeline', slug: 'else' }))).toEqual([422, 'Validation Failed', ['name']]);
  });
});

describe('creating a pipeline', () => {
  const properties: [string, string, unknown][] = [
    ['61,361', 'branch_configuration', 'main release/*'], ['66,362', 'cancel_running_branch_builds', true], ['67,363', 'cancel_running_branch_builds_filter', '!main'], ['62,365', 'default_branch', 'trunk'], ['56,366', 'description', 'An app'],
    ['64,370', 'skip_queued_branch_builds', true], ['65,371', 'skip_queued_branch_builds_filter', '!main'], ['77,373', 'tags', ['web', ':rocket:']], ['76,375', 'visibility', 'public'],
  ];
  test.each(properties)('[api-v2:%s] takes %s', async (lines, name, value) => {
    const made = await create({ name: `Property ${lines}`, [name]: value });
    expect([made.status, made.body[name]]).toEqual([201, value]);
    const wrong = await create({ name: `Wrong ${lines}`, [name]: { not: 'this' } });
    expect(errorsOf(wrong)).toEqual([422, 'Validation Failed', [name]]);
  });

  test('takes tags and shows emoji as they were written [api-v2:77]', async () => {
    expect((await create({ name: 'Tagged', tags: [':rocket:'] })).body.tags).toEqual([':rocket:']);
  });

  test('takes a cluster, none for null, and takes a pipeline out of it [api-v2:59,364]', async () => {
    expect((await create({ name: 'Clustered', cluster_id: rest.world.clusterId })).body.cluster_id).toBe(rest.world.clusterId);
    expect((await create({ name: 'Free', cluster_id: null })).body.cluster_id).toBeNull();
    expect((await rest.request('patch', `${all}/clustered`).send({ cluster_id: null })).body.cluster_id).toBeNull();
  });

  test('takes variables with visual steps [api-v2:367]', () => expect(shown.visual.env).toEqual({ B: '2' }));

  test('takes provider settings by their keys [api-v2:369]', async () => {
    expect((await create({ name: 'Provided', provider_settings: { trigger_mode: 'none' } })).body.provider.settings.trigger_mode).toBe('none');
  });

  test('takes no template that is not there, and null for none [api-v2:60,368]', async () => {
    expect(errorsOf(await create({ name: 'Templated', pipeline_template_uuid: '01900000-0000-7000-8000-000000000000' }))).toEqual([422, 'Validation Failed', ['pipeline_template_uuid']]);
    expect((await create({ name: 'Untemplated', pipeline_template_uuid: null })).body.pipeline_template_uuid).toBeNull();
  });

  test('from YAML, which must be YAML [api-v2:340,342]', async () => {
    const made = await create({ name: 'Quoted', configuration: 'steps:\n  - command: "echo \\"a\\""\n' });
    expect([made.status, made.body.configuration]).toEqual([201, 'steps:\n  - command: "echo \\"a\\""\n']);
    expect(errorsOf(await create({ name: 'Broken', configuration: 'steps: [' }))).toEqual([422, 'Validation Failed', ['configuration']]);
  });

  test('from a list of visual steps [api-v2:340,344]', async () => {
    expect(shown.visual.steps).toHaveLength(4);
    expect(errorsOf(await rest.post(all, { name: 'No list', repository, steps: {} }))).toEqual([422, 'Validation Failed', ['steps']]);
  });

  test('needs a name, a repository, a cluster where there is no default, and steps of either form [api-v2:346,377,553]', async () => {
    expect(errorsOf(await rest.post(all, {}))).toEqual([422, 'Validation Failed', ['name', 'repository']]);
    expect(errorsOf(await rest.post(all, { name: 'Stepless', repository }))).toEqual([422, 'Validation Failed', ['configuration']]);
    const organizations = rest.world.services.db.updateTable('organizations').where('id', '=', rest.world.organization.id);
    await organizations.set({ defaultClusterId: null }).execute();
    expect(errorsOf(await create({ name: 'Clusterless' }))).toEqual([422, 'Validation Failed', ['cluster_id']]);
    await organizations.set({ defaultClusterId: rest.world.clusterId }).execute();
  });

  test('of teams: an object of levels, team_uuids as before, and only administrators without [api-v2:374,536,578]', async () => {
    const { world } = rest;
    await world.services.db.updateTable('organizations').set({ teamsEnabled: true }).where('id', '=', world.organization.id).execute();
    const teamId = await world.insert('teams', { organizationId: world.organization.id, slug: 'crew', name: 'Crew', membersCanCreatePipelines: true });
    await world.insert('team_members', { organizationId: world.organization.id, teamId, userId: world.member.id, role: 'member' });
    const as = (person: typeof world.member, more: object) => rest.post(all, { repository, configuration: everyKind, ...more }, person);
    for (const [index, level] of ['read_only', 'build_and_read', 'manage_build_and_read'].entries()) {
      expect((await as(world.member, { name: `Team ${index}`, teams: { [teamId]: level } })).status).toBe(201);
      const row = await world.services.db.selectFrom('team_pipelines').select('accessLevel').where('teamId', '=', teamId).orderBy('id', 'desc').executeTakeFirstOrThrow();
      expect(row.accessLevel).toBe(level);
    }
    expect(errorsOf(await as(world.member, { name: 'Wrong level', teams: { [teamId]: 'owner' } }))).toEqual([422, 'Validation Failed', [`teams.${teamId}`]]);
    expect((await as(world.member, { name: 'Deprecated', team_uuids: [teamId] })).status).toBe(201);
    expect((await as(world.member, { name: 'Teamless' })).status).toBe(422);
    expect((await as(world.admin, { name: 'Of an administrator' })).status).toBe(201);
    await world.services.db.updateTable('organizations').set({ teamsEnabled: false }).where('id', '=', world.organization.id).execute();
    expect((await as(world.admin, { name: 'Teams off', teams: { [teamId]: 'read_only' } })).status).toBe(422);
  });
});

describe('reading and changing', () => {
  const patch = (slug: string, body: object) => rest.request('patch', `${all}/${slug}`).send(body);

  test('GET lists and gets, by slugs [api-v2:9,19,21,29-30,336,338]', async () => {
    const list = await rest.get(all);
    expect([list.status, Array.isArray(list.body)]).toEqual([200, true]);
    const one = await rest.get(`${all}/my-first-pipeline`);
    expect([one.status, one.body]).toEqual([200, list.body.find((each: Body) => each.slug === 'my-first-pipeline')]);
    expect((await rest.get(`${all}/${one.body.id}`)).status).toBe(404);
  });

  test('PATCH takes every property, each alone [api-v2:379]', async () => {
    await create({ name: 'Patched' });
    const changes = {
      branch_configuration: 'main', cancel_running_branch_builds: true, cancel_running_branch_builds_filter: 'x', cluster_id: rest.world.clusterId, configuration: 'steps: [wait]', default_branch: 'dev', description: 'd',
      pipeline_template_uuid: null, repository: 'git@github.com:acme/b.git', skip_queued_branch_builds: true, skip_queued_branch_builds_filter: 'y', tags: ['t'], visibility: 'public',
    };
    for (const [name, value] of Object.entries(changes)) {
      const { status, body } = await patch('patched', { [name]: value });
      expect([name, status, body[name]]).toEqual([name, 200, value]);
    }
    expect((await patch('patched', { provider_settings: { build_tags: true } })).body.provider.settings.build_tags).toBe(true);
    expect((await patch('patched', { slug: 'patched-2' })).body.slug).toBe('patched-2');
    expect((await patch('patched-2', { name: 'Patched again', slug: 'patched-3' })).body.name).toBe('Patched again');
    expect((await patch('visual', { env: { B: '3' } })).body.env).toEqual({ B: '3' });
  });

  test('a new name makes a new slug, unless one is given [api-v2:383]', async () => {
    await create({ name: 'Before' });
    expect((await patch('before', { name: 'After That' })).body.slug).toBe('after-that');
    expect((await patch('after-that', { name: 'Once More', slug: 'kept' })).body).toMatchObject({ name: 'Once More', slug: 'kept' });
  });

  test('what the YAML does not hold is not patched into it, nor teams into the pipeline [api-v2:385-386]', async () => {
    await create({ name: 'Whole' });
    const refused = await patch('whole', { steps: [{ type: 'waiter' }] });
    expect([refused.status, refused.body.message]).toEqual([422, 'Validation Failed']);
    const { body } = await patch('whole', { env: { NEW: '1' }, teams: { x: 'read_only' } });
    expect([body.configuration, body.env]).toEqual([everyKind, { TIER: 'one' }]);
  });

  test('PATCH refuses wrong fields by name [api-v2:388,546,553]', async () => {
    const reply = await patch('visual', { name: '', tags: 5 });
    expect([reply.status, reply.body]).toEqual([422, { message: 'Validation Failed', errors: [{ field: 'name', code: expect.any(String) }, { field: 'tags', code: expect.any(String) }] }]);
  });

  test('archive and unarchive, each once; an archived pipeline is read-only, its builds are kept [api-v2:73,316-317,390,392,555]', async () => {
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

  test('DELETE removes it with what it has, in any state [api-v2:318,394]', async () => {
    for (const state of ['active', 'archived']) {
      await create({ name: 'Gone' });
      if (state === 'archived') await rest.request('post', `${all}/gone/archive`);
      const reply = await rest.request('delete', `${all}/gone`);
      expect([reply.status, reply.text]).toEqual([204, '']);
      expect((await rest.get(`${all}/gone`)).status).toBe(404);
    }
  });
});
