import { Problem } from '../../../src/domain/problem.js';
import { perform } from '../../../src/core/operation.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { createPipeline } from '../../../src/operations/pipelines/create.js';
import { getPipeline } from '../../../src/operations/pipelines/get.js';
import { updatePipeline } from '../../../src/operations/pipelines/update.js';
import { refusal } from '../../support/refusal.js';
import { World } from '../../support/world.js';
import { badgeTokenOf, webhookTokenOf } from '../../../src/resources/pipelines/url-token.js';

const yaml = '# kept\nsteps:\n  - command: make\n';
const organization = { slug: 'acme' };
const request = (name: string, more: object = {}) => ({
  organization,
  name,
  repository: 'git@github.com:acme/app.git',
  configuration: yaml,
  ...more,
});

describe('creating a pipeline', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  const create = (input: object) => world.perform(world.member, createPipeline, input);
  const refused = (input: object) => refusal(create(input));

  test('a pipeline created from YAML has the documented defaults and keeps its text', async () => {
    const { pipeline, level } = await create(request('My  First Pipeline'));
    expect(level).toBe('manage_build_and_read');
    expect(pipeline).toMatchObject({
      slug: 'my-first-pipeline',
      description: null,
      configuration: yaml,
      visualSteps: null,
      env: null,
      clusterId: world.clusterId,
      pipelineTemplateId: null,
      branchConfiguration: null,
      defaultBranch: 'main',
      skipQueuedBranchBuilds: false,
      skipQueuedBranchBuildsFilter: null,
      cancelRunningBranchBuilds: false,
      cancelRunningBranchBuildsFilter: null,
      allowRebuilds: true,
      visibility: 'private',
      tags: [],
      archivedAt: null,
      defaultTimeoutInMinutes: null,
      maximumTimeoutInMinutes: null,
      cloneMirrorUrl: null,
      color: null,
      emoji: null,
      nextBuildNumber: 1,
      createdById: world.member.id,
      providerId: 'github',
      providerSettings: { trigger_mode: 'code', repository: 'acme/app' },
      createdAt: world.clock.now(),
    });
    expect(webhookTokenOf(world.services, pipeline)).toMatch(/^[0-9a-f]{50}$/);
    expect(badgeTokenOf(world.services, pipeline)).toMatch(/^[0-9a-f]{50}$/);
    const found = await world.perform(world.admin, getPipeline, {
      pipeline: { organization: 'acme', slug: 'my-first-pipeline' },
    });
    expect(found.pipeline).toEqual(pipeline);
  });

  test('a pipeline created from visual steps keeps environment, settings and blank texts as sent', async () => {
    const steps = [
      { type: 'script', name: 'Build', command: 'make' },
      { type: 'waiter' },
      { type: 'manual', label: 'Go', name: 'ignored', command: '' },
    ];
    const settings = {
      description: '',
      defaultBranch: '',
      branchConfiguration: 'main !wip/*',
      skipQueuedBranchBuilds: true,
      skipQueuedBranchBuildsFilter: '',
      cancelRunningBranchBuilds: true,
      cancelRunningBranchBuildsFilter: 'main',
      allowRebuilds: false,
      defaultTimeoutInMinutes: 5,
      maximumTimeoutInMinutes: 60,
      cloneMirrorUrl: 'ssh://git@mirror.test/app.git',
      color: '#aabbcc',
      emoji: ':rocket:',
      visibility: 'public',
      tags: [':terraform:', 'testing'],
      nextBuildNumber: 7,
      slug: 'Chosen-1',
    };
    const { pipeline } = await create(
      request('Visual', {
        configuration: null,
        steps,
        env: { A: '1', N: 2 },
        ...settings,
        providerSettings: { build_tags: true, unknown: [1] },
      }),
    );
    expect(pipeline).toMatchObject({
      ...settings,
      configuration: null,
      visualSteps: steps,
      env: { A: '1', N: '2' },
      providerSettings: { build_tags: true },
    });
    expect(pipeline.providerSettings).not.toHaveProperty('unknown');
  });

  test('timeouts of 0 minutes are no timeouts, and are read back as they were sent', async () => {
    const timeouts = { defaultTimeoutInMinutes: 0, maximumTimeoutInMinutes: 0 };
    const { pipeline } = await create(request('Without timeouts', timeouts));
    expect(pipeline).toMatchObject(timeouts);
    const address = { pipeline: { organization: 'acme', slug: pipeline.slug } };
    const { build } = await world.perform(world.member, createBuild, { ...address, commit: 'HEAD', branch: 'main' });
    const job = await world.services.db
      .selectFrom('jobs')
      .select('timeoutInMinutes')
      .where('buildId', '=', build.id)
      .executeTakeFirstOrThrow();
    expect(job.timeoutInMinutes).toBe(null);
    const changed = await world.perform(world.member, updatePipeline, { ...address, maximumTimeoutInMinutes: 20 });
    expect(changed.pipeline).toMatchObject({ defaultTimeoutInMinutes: 0, maximumTimeoutInMinutes: 20 });
  });

  test('YAML takes precedence over visual steps and drops env, and a cluster may be named by either id', async () => {
    const node = Buffer.from(`Cluster---${world.clusterId}`).toString('base64');
    const { pipeline } = await create(
      request('Both', { steps: [{ type: 'nonsense' }], env: { A: '1' }, clusterId: node }),
    );
    expect(pipeline).toMatchObject({ configuration: yaml, visualSteps: null, env: null, clusterId: world.clusterId });
    expect((await create(request('Empty cluster', { clusterId: '' }))).pipeline.clusterId).toBe(world.clusterId);
  });

  const missing = 'Step configuration is missing, expected `steps: { yaml: "..." }`';
  test.each<[string, object, string, string | RegExp]>([
    ['no name', { name: undefined }, 'name', 'missing'],
    ['a blank name', { name: ' ' }, 'name', "can't be blank"],
    ['a name that is a number', { name: 1 }, 'name', 'must be a string'],
    ['a name with a null character', { name: 'a\0b' }, 'name', 'contains characters that cannot be stored'],
    ['a long name', { name: 'n'.repeat(256) }, 'name', 'is too long (maximum is 255 characters)'],
    ['a name that gives no slug', { name: '🚀' }, 'slug', 'cannot be derived from the name'],
    ['no repository', { repository: undefined }, 'repository', 'missing'],
    [
      'a repository that git reads as an option',
      { repository: '--upload-pack=x' },
      'repository',
      'is not a repository URL or path',
    ],
    ['a slug that begins with a hyphen', { slug: '-a' }, 'slug', /cannot begin with a hyphen/],
    ['a slug of 101 characters', { slug: 'a'.repeat(101) }, 'slug', /is too long/],
    ['no steps at all', { configuration: undefined }, 'configuration', missing],
    ['blank steps', { configuration: ' \n' }, 'configuration', missing],
    ['YAML that does not parse', { configuration: 'steps: [' }, 'configuration', /not valid YAML/],
    ['YAML without steps', { configuration: 'env: {}' }, 'configuration', /no "steps"/],
    [
      'a condition that does not parse',
      { configuration: 'steps: [{command: a, if: "build.llama"}]' },
      'configuration',
      /^steps\[0\]\.if: /,
    ],
    ['visual steps of no list', { configuration: null, steps: {} }, 'steps', 'must be a list of steps'],
    [
      'a visual step of an unknown type',
      { configuration: null, steps: [{ type: 'x' }] },
      'steps[0].type',
      /must be one of/,
    ],
    [
      'a visual script without command',
      { configuration: null, steps: [{ type: 'script' }] },
      'steps[0].command',
      /needs "command"/,
    ],
    [
      'half a surrogate pair in a step',
      { configuration: null, steps: [{ type: 'script', command: '\ud800' }] },
      'steps',
      'contains characters that cannot be stored',
    ],
    [
      'an environment that is not an object',
      { configuration: null, steps: [], env: 'A=1' },
      'env',
      'must be an object of strings',
    ],
    ['an environment of objects', { configuration: null, steps: [], env: { A: {} } }, 'env.A', 'must be a string'],
    [
      'a variable with an equals sign in its name',
      { configuration: null, steps: [], env: { 'A=B': '1' } },
      'env',
      'has a name that no environment variable can have',
    ],
    ['an unknown cluster', { clusterId: '018c5ad7-28f1-45d4-867e-b59fa04511b2' }, 'clusterId', 'does not exist'],
    ['a cluster that is not an id', { clusterId: 'xxx' }, 'clusterId', 'does not exist'],
    [
      'a wrong branch pattern',
      { branchConfiguration: 'main !' },
      'branchConfiguration',
      'has a ! that negates nothing',
    ],
    ['eleven tags', { tags: [...'abcdefghijk'] }, 'tags', 'has more than 10 tags'],
    ['a tag twice', { tags: ['a', 'a'] }, 'tags.1', 'is given twice'],
    ['an unknown visibility', { visibility: 'secret' }, 'visibility', 'must be one of private, public'],
    ['a flag that is text', { allowRebuilds: 'yes' }, 'allowRebuilds', 'must be true or false'],
    [
      'less than no minutes',
      { defaultTimeoutInMinutes: -1 },
      'defaultTimeoutInMinutes',
      'must be a whole number from 0 to 43200',
    ],
    ['a color by name', { color: 'red' }, 'color', 'must be a color such as #1a2b3c'],
    ['an emoji that is a word', { emoji: 'rocket' }, 'emoji', 'must be an emoji such as :rocket:'],
    [
      'a mirror with a password',
      { cloneMirrorUrl: 'https://a:b@mirror.test/x.git' },
      'cloneMirrorUrl',
      'must not have credentials',
    ],
    [
      'a mirror with a query',
      { cloneMirrorUrl: 'https://mirror.test/x.git?a=b' },
      'cloneMirrorUrl',
      'must not have a query or a fragment',
    ],
    [
      'provider settings of a wrong type',
      { providerSettings: { build_tags: 'yes' } },
      'providerSettings.build_tags',
      'must be true or false',
    ],
    [
      'half a character in a provider setting',
      { providerSettings: { pull_request_branch_filter_configuration: '\ud800' } },
      'providerSettings.pull_request_branch_filter_configuration',
      'contains characters that cannot be stored',
    ],
    ['provider settings that are a list', { providerSettings: [] }, 'providerSettings', 'must be an object'],
    [
      'a filter condition that does not parse',
      { providerSettings: { filter_condition: 'build.' } },
      'providerSettings.filter_condition',
      /not a valid condition/,
    ],
    [
      'a template on a plan without templates',
      { pipelineTemplateId: '018c5ad7-28f1-45d4-867e-b59fa04511b2' },
      'pipelineTemplateId',
      'requires the enterprise plan',
    ],
    [
      'teams where teams are not enabled',
      { teams: { x: 'read_only' } },
      'teams',
      'Teams are not enabled for this organization',
    ],
    ['a build number below one', { nextBuildNumber: 0 }, 'nextBuildNumber', /whole number/],
  ])('creating a pipeline with %s is refused', async (_what, wrong, field, code) => {
    const problem = await refused(request('Refused', wrong));
    expect(problem).toMatchObject({
      code: 'invalid',
      message: 'Validation Failed',
      details: { fields: [{ field, code: typeof code === 'string' ? code : expect.stringMatching(code) }] },
    });
    expect(
      await refusal(world.perform(world.admin, getPipeline, { pipeline: { organization: 'acme', slug: 'refused' } })),
    ).toMatchObject({ code: 'not_found' });
  });

  test('all invalid fields of a new pipeline are reported at once', async () => {
    const problem = await refused({ organization, name: '', repository: 3, tags: 'x' });
    expect(problem.details.fields?.map(({ field }) => field)).toEqual(['name', 'repository', 'tags', 'configuration']);
  });

  test('a pipeline with a name or slug that is in use is refused', async () => {
    await create(request('Taken One'));
    expect((await refused(request('Taken One'))).details.fields).toEqual([
      { field: 'name', code: 'has already been taken' },
    ]);
    expect((await refused(request('taken  one'))).details.fields).toEqual([
      { field: 'slug', code: 'has already been taken' },
    ]);
    expect((await refused(request('Else', { slug: 'taken-one' }))).details.fields).toEqual([
      { field: 'slug', code: 'has already been taken' },
    ]);
    expect((await create(request('Taken One ', { slug: 'other-slug' }))).pipeline.slug).toBe('other-slug');
  });

  test('of ten simultaneous requests for one pipeline name, one succeeds', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => create(request('Raced'))));
    const losses = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Problem] : []));
    expect(losses).toHaveLength(9);
    for (const loss of losses) expect(loss.details.fields).toEqual([{ field: 'name', code: 'has already been taken' }]);
  });

  test('creating a pipeline is answered to strangers as for an absent organization, and a missing scope is named', async () => {
    expect(await refusal(world.perform(world.outsider, createPipeline, request('X')))).toMatchObject({
      code: 'not_found',
      message: 'Not Found',
    });
    const reader = await world.person({ organizationId: world.organization.id, scopes: ['read_pipelines'] });
    expect(await refusal(world.perform(reader, createPipeline, request('X')))).toMatchObject({
      code: 'scope_missing',
      details: { scope: 'write_pipelines' },
    });
  });

  test('repeating a request with its idempotency key returns the same pipeline, and another body is a conflict', async () => {
    const again = async (fingerprint: string) =>
      perform(
        createPipeline,
        await world.as(world.member, { idempotency: { key: 'once', fingerprint } }),
        request('Once'),
      );
    const first = await again('a');
    expect(await again('a')).toEqual(first);
    expect(await refusal(again('b'))).toMatchObject({ code: 'conflict' });
  });

  test('a pipeline created by the system has no creator', async () => {
    const { pipeline, level } = await perform(createPipeline, world.system(), request('Provisioned'));
    expect([pipeline.createdById, level]).toEqual([null, 'manage_build_and_read']);
  });

  test('creating a pipeline records one event and one audit row', async () => {
    const { pipeline } = await create(request('Watched'));
    const events = await world.services.db
      .selectFrom('events')
      .selectAll()
      .where('subjectId', '=', pipeline.id)
      .execute();
    expect(events).toMatchObject([{ type: 'pipeline.create', subject: 'pipeline', actorId: world.member.id }]);
    const audit = await world.services.db
      .selectFrom('audit_events')
      .selectAll()
      .where('subjectId', '=', pipeline.id)
      .execute();
    expect(audit).toMatchObject([{ operation: 'pipeline.create', organizationId: world.organization.id }]);
  });
});

describe('creating a pipeline where there is no default cluster', () => {
  test('the cluster is required, and an explicit null means no cluster', async () => {
    const world = await World.create();
    await world.services.db
      .updateTable('organizations')
      .set({ defaultClusterId: null })
      .where('id', '=', world.organization.id)
      .execute();
    const create = (more: object) => world.perform(world.member, createPipeline, request('Clustered', more));
    expect((await refusal(create({}))).details.fields).toEqual([{ field: 'clusterId', code: 'missing' }]);
    expect((await refusal(create({ clusterId: '' }))).details.fields).toEqual([
      { field: 'clusterId', code: "can't be blank" },
    ]);
    expect((await create({ clusterId: null })).pipeline.clusterId).toBeNull();
    expect((await create({ name: 'Second', clusterId: world.clusterId })).pipeline.clusterId).toBe(world.clusterId);
    await world.close();
  });
});
