import { encodeNodeId } from '../../../src/domain/node-id.js';
import { type Data, Door } from '../support.js';

const yaml = `
steps:
  - command: make test
    key: test
    label: ":hammer: Test"
    agents: { queue: default }
    retry: { automatic: [{ exit_status: 1, limit: 2 }] }
  - wait
  - block: Release?
    key: release
    fields: [{ text: Version, key: version }]
  - command: make release
    key: ship
    depends_on: [{ step: test, allow_failure: true }, release]
`;

describe('pipelines, builds and jobs through GraphQL', () => {
  let door: Door;
  let pipeline: Data;
  let build: Data;
  beforeAll(async () => {
    door = await Door.open();
  });
  afterAll(() => door.close());

  test('a pipeline is created with its organization named by node id and its cluster by UUID', async () => {
    const { organization } = await door.data('{ organization(slug: "acme") { id uuid } }');
    const { pipelineCreate } = await door.data(
      `mutation ($input: PipelineCreateInput!) { pipelineCreate(input: $input) {
        clientMutationId cluster { name } organization { slug }
        pipelineEdge { cursor node { name } }
        pipeline { id uuid slug name url badgeURL webhookURL archived favorite public visibility defaultBranch nextBuildNumber commitShortLength
          allowRebuilds skipIntermediateBuilds cancelIntermediateBuilds cancelIntermediateBuildsBranchFilter description
          tags { label } steps { yaml } createdBy { email } cluster { id }
          permissions { buildCreate { allowed code message } pipelineUpdate { allowed } }
          repository { url provider { __typename name url webhookUrl ... on RepositoryProviderGithub { settings { triggerMode buildPullRequests buildPullRequestForks filterEnabled issueCommentMatchMode } } } }
        } } }`,
      {
        input: {
          clientMutationId: 'first',
          organizationId: organization.id,
          clusterId: door.world.clusterId,
          name: 'My App',
          description: null,
          teams: null,
          tags: { label: 'web' },
          repository: { url: 'git@github.com:acme/app.git' },
          steps: { yaml },
          cancelIntermediateBuilds: true,
          cancelIntermediateBuildsBranchFilter: '!main',
          providerSettings: '{ "trigger_mode": "deployment", "build_pull_request_forks": true }',
        },
      },
    );
    pipeline = pipelineCreate.pipeline;
    expect(pipelineCreate).toMatchObject({
      clientMutationId: 'first',
      cluster: { name: 'Default cluster' },
      organization: { slug: 'acme' },
      pipelineEdge: { node: { name: 'My App' } },
    });
    expect(pipeline).toMatchObject({
      id: encodeNodeId('Pipeline', pipeline.uuid),
      slug: 'my-app',
      url: 'http://slipway.test/acme/my-app',
      archived: false,
      favorite: false,
      public: false,
      visibility: 'PRIVATE',
      defaultBranch: 'main',
      nextBuildNumber: 1,
      allowRebuilds: true,
      skipIntermediateBuilds: false,
      cancelIntermediateBuilds: true,
      cancelIntermediateBuildsBranchFilter: '!main',
      description: null,
      tags: [{ label: 'web' }],
      steps: { yaml },
      createdBy: { email: door.world.admin.email },
      cluster: { id: encodeNodeId('Cluster', door.world.clusterId) },
      permissions: { buildCreate: { allowed: true, code: null, message: null }, pipelineUpdate: { allowed: true } },
    });
    expect(pipeline.repository).toEqual({
      url: 'git@github.com:acme/app.git',
      provider: {
        __typename: 'RepositoryProviderGithub',
        name: 'GitHub',
        url: 'https://github.com/acme/app',
        webhookUrl: pipeline.webhookURL,
        settings: {
          triggerMode: 'deployment',
          buildPullRequests: true,
          buildPullRequestForks: true,
          filterEnabled: false,
          issueCommentMatchMode: 'EXACT',
        },
      },
    });
    expect(pipeline.webhookURL).toMatch(/^http:\/\/slipway\.test\/webhooks\/deliver\/[0-9a-f]{50}$/);
    expect(pipeline.badgeURL).toMatch(/^http:\/\/slipway\.test\/badge\/[0-9a-f]{50}\.svg$/);
  });

  test('updating a pipeline keeps absent fields, derives the slug from the name, and reports errors under the names of the input fields', async () => {
    const update =
      'mutation ($input: PipelineUpdateInput!) { pipelineUpdate(input: $input) { pipeline { name slug description defaultBranch cluster { name } tags { label } steps { yaml } } } }';
    const { pipelineUpdate } = await door.data(update, {
      input: { id: pipeline.id, name: 'App', description: 'What it is', defaultBranch: '', tags: [] },
    });
    expect(pipelineUpdate.pipeline).toEqual({
      name: 'App',
      slug: 'app',
      description: 'What it is',
      defaultBranch: '',
      cluster: { name: 'Default cluster' },
      tags: [],
      steps: { yaml },
    });
    await door.data(update, { input: { id: pipeline.uuid, defaultBranch: 'main' } });
    const refused = await door.refusal(update, {
      input: {
        id: pipeline.id,
        steps: { yaml: 'steps: [{ command: [1] , bad' },
        cancelIntermediateBuildsBranchFilter: 'x'.repeat(5000),
        color: 'blueish',
      },
    });
    expect(refused.code).toBe('BAD_USER_INPUT');
    expect(refused.fields?.map((each) => each.field)).toEqual(
      expect.arrayContaining(['cancelIntermediateBuildsBranchFilter', 'color']),
    );
    expect(
      (await door.refusal(update, { input: { id: pipeline.id, steps: { yaml: 'steps: 5' } } })).fields?.[0]?.field,
    ).toBe('steps.yaml');
  });

  test('a build is created without commit and branch', async () => {
    const { buildCreate } = await door.data(
      `mutation ($input: BuildCreateInput!) { buildCreate(input: $input) { clientMutationId build {
        id uuid number state branch commit message url env createdAt startedAt failingAt blockedState cancelReason
        metaData(first: 10000) { count edges { node { key value } } }
        createdBy { __typename ... on User { name email avatar { url } } ... on UnregisteredUser { authorName: name } }
        source { __typename name } pullRequest { id } organization { slug } pipeline { slug } rebuiltFrom { id } triggeredFrom { id }
        jobs(first: 10) { count edges { node { __typename
          ... on JobInterface { uuid retried retriesCount retrySource { __typename } retryType }
          ... on JobTypeCommand { id state label command agentQueryRules passed softFailed exitStatus url priority { number } concurrency { group } step { key conditional dependencies { count edges { node { key allowFailure } } } } retryRules { automatic { exitStatus limit } manual } clusterQueue { key } build { number } pipeline { slug } env }
          ... on JobTypeWait { state step { uuid } }
          ... on JobTypeBlock { label state isUnblockable step { key } }
        } } } } } }`,
      {
        input: {
          clientMutationId: '',
          pipelineID: pipeline.id,
          message: 'Try it',
          env: ['COLOR=blue', 'EMPTY='],
          metaData: [{ key: 'release', value: 'v1' }],
          pullRequestId: '7',
        },
      },
    );
    build = buildCreate.build;
    expect(buildCreate.clientMutationId).toBe('');
    expect(build).toMatchObject({
      number: 1,
      state: 'SCHEDULED',
      branch: 'main',
      commit: 'HEAD',
      message: 'Try it',
      env: ['COLOR=blue', 'EMPTY='],
      url: 'http://slipway.test/acme/app/builds/1',
      startedAt: null,
      failingAt: null,
      blockedState: null,
      metaData: { count: 1, edges: [{ node: { key: 'release', value: 'v1' } }] },
      pullRequest: { id: '7' },
      createdBy: { __typename: 'User', email: door.world.admin.email },
      source: { __typename: 'BuildSourceAPI', name: 'API' },
      rebuiltFrom: null,
      triggeredFrom: null,
    });
    expect(build.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const jobs = build.jobs.edges.map((edge: Data) => edge.node);
    expect([build.jobs.count, jobs.map((job: Data) => job.__typename).sort()]).toEqual([
      4,
      ['JobTypeBlock', 'JobTypeCommand', 'JobTypeCommand', 'JobTypeWait'],
    ]);
    const test = jobs.find((job: Data) => job.step.key === 'test');
    expect(test).toMatchObject({
      state: 'SCHEDULED',
      label: ':hammer: Test',
      command: 'make test',
      agentQueryRules: ['queue=default'],
      passed: false,
      exitStatus: null,
      priority: { number: 0 },
      concurrency: null,
      retryRules: { automatic: [{ exitStatus: '1', limit: '2' }], manual: true },
      clusterQueue: { key: 'default' },
      build: { number: 1 },
      pipeline: { slug: 'app' },
      url: `http://slipway.test/acme/app/builds/1#${test.uuid}`,
      retried: false,
      retriesCount: null,
      retrySource: null,
    });
    expect(test.env).toContain('COLOR=blue');
    const ship = jobs.find((job: Data) => job.step.key === 'ship');
    expect(ship.step.dependencies).toEqual({
      count: 2,
      edges: [{ node: { key: 'test', allowFailure: true } }, { node: { key: 'release', allowFailure: false } }],
    });
  });

  test('one document cancels a job by its node id and retries it once', async () => {
    const uuid = build.jobs.edges.map((edge: Data) => edge.node).find((job: Data) => job.step.key === 'test').uuid;
    const answer = await door.ask(
      `mutation ($made: ID!, $plain: ID!) {
        stop: jobTypeCommandCancel(input: { id: $made }) { jobTypeCommand { state } }
        again: jobTypeCommandRetry(input: { id: $plain, clientMutationId: "r" }) { clientMutationId jobTypeCommand { uuid state retried retriedBy { email } } retriedInJobTypeCommand { uuid state retryType retriesCount retrySource { ... on JobInterface { uuid } } } }
        twice: jobTypeCommandRetry(input: { id: $plain }) { jobTypeCommand { uuid } }
      }`,
      { made: btoa(`JobTypeCommand---${uuid}`), plain: uuid },
    );
    expect(answer.data.stop).toEqual({ jobTypeCommand: { state: 'CANCELED' } });
    expect(answer.data.again).toMatchObject({
      clientMutationId: 'r',
      jobTypeCommand: { uuid, state: 'CANCELED', retried: true },
      retriedInJobTypeCommand: { state: 'SCHEDULED', retryType: 'MANUAL', retriesCount: 1, retrySource: { uuid } },
    });
    expect([answer.data.twice, answer.errors?.map((error) => [error.path, error.extensions.code])]).toEqual([
      null,
      [[['twice'], 'CONFLICT']],
    ]);
    const { job } = await door.data(
      `query ($uuid: ID!) { job(uuid: $uuid) { ... on JobTypeCommand { log { size content headerTimes url } events { count edges { node { __typename type timestamp actor { type uuid node { __typename } } ... on JobEventRetried { retriedInJob { state } } ... on JobEventCanceled { exitStatus } } } } } } }`,
      { uuid },
    );
    expect(job.log).toEqual({
      size: 0,
      content: '',
      headerTimes: [],
      url: `http://slipway.test/v2/organizations/acme/pipelines/app/builds/1/jobs/${uuid}/log`,
    });
    const events = job.events.edges.map((edge: Data) => edge.node);
    expect(events.map((event: Data) => [event.__typename, event.type])).toEqual(
      expect.arrayContaining([
        ['JobEventCanceled', 'CANCELED'],
        ['JobEventRetried', 'RETRIED'],
      ]),
    );
    expect(events.find((event: Data) => event.type === 'CANCELED')).toMatchObject({
      exitStatus: -1,
      actor: { type: 'USER', uuid: door.world.admin.id, node: { __typename: 'User' } },
    });
  });

  test('a block step is unblocked with fields given as JSON text, only once, and not with other values', async () => {
    const { pipelineCreate } = await door.data(
      `mutation ($input: PipelineCreateInput!) { pipelineCreate(input: $input) { pipeline { id } } }`,
      {
        input: {
          organizationId: door.world.organization.id,
          name: 'Gate',
          repository: { url: 'git@example.com:acme/gate.git' },
          steps: { yaml: 'steps: [{ block: Go, fields: [{ text: Version, key: version }] }, { command: go }]' },
        },
      },
    );
    const { buildCreate } = await door.data(
      'mutation ($id: ID!) { buildCreate(input: { pipelineID: $id }) { build { id state blockedState jobs(type: BLOCK) { nodes { ... on JobTypeBlock { id isUnblockable } } } } } }',
      { id: pipelineCreate.pipeline.id },
    );
    expect(buildCreate.build).toMatchObject({
      state: 'BLOCKED',
      blockedState: 'PASSED',
      jobs: { nodes: [{ isUnblockable: true }] },
    });
    const unblock =
      'mutation ($input: JobTypeBlockUnblockInput!) { jobTypeBlockUnblock(input: $input) { jobTypeBlock { state isUnblockable unblockedBy { email } build { state metaData { edges { node { key value } } } } } } }';
    const id = buildCreate.build.jobs.nodes[0].id;
    expect((await door.refusal(unblock, { input: { id, fields: '[1]' } })).fields).toEqual([
      { field: 'fields', code: 'must be an object' },
    ]);
    expect(
      await door.data(unblock, { input: { id, fields: '{ "version": "1.2" }', unblockerId: door.world.member.id } }),
    ).toEqual({
      jobTypeBlockUnblock: {
        jobTypeBlock: {
          state: 'UNBLOCKED',
          isUnblockable: false,
          unblockedBy: { email: door.world.member.email },
          build: { state: 'RUNNING', metaData: { edges: [{ node: { key: 'version', value: '1.2' } }] } },
        },
      },
    });
    expect((await door.refusal(unblock, { input: { id } })).code).toBe('CONFLICT');
  });

  test('a build is canceled once with a reason and rebuilt', async () => {
    const cancel =
      'mutation ($id: ID!) { buildCancel(input: { id: $id, reason: "no more" }) { build { state cancelReason canceledBy { email } } } }';
    expect(await door.data(cancel, { id: build.id })).toMatchObject({
      buildCancel: {
        build: { state: 'CANCELED', cancelReason: 'no more', canceledBy: { email: door.world.admin.email } },
      },
    });
    expect((await door.refusal(cancel, { id: build.id })).code).toBe('CONFLICT');
    const { buildRebuild } = await door.data(
      'mutation ($id: ID!) { buildRebuild(input: { id: $id }) { build { number } rebuild { number env rebuiltFrom { number } } } }',
      { id: build.uuid },
    );
    expect(buildRebuild).toEqual({
      build: { number: 1 },
      rebuild: { number: 2, env: ['COLOR=blue', 'EMPTY='], rebuiltFrom: { number: 1 } },
    });
  });

  test('a pipeline can be favorited, archived, unarchived, given a new webhook URL and deleted', async () => {
    const { id } = pipeline;
    const answer = await door.data(
      `mutation ($id: ID!) {
        mark: pipelineFavorite(input: { id: $id, favorite: true }) { pipeline { favorite } }
        away: pipelineArchive(input: { id: $id }) { pipeline { archived archivedAt archivedBy { email } } }
        back: pipelineUnarchive(input: { id: $id }) { pipeline { archived archivedAt } }
        turn: pipelineRotateWebhookURL(input: { id: $id }) { pipeline { webhookURL } }
      }`,
      { id },
    );
    expect(answer).toMatchObject({
      mark: { pipeline: { favorite: true } },
      away: { pipeline: { archived: true, archivedBy: { email: door.world.admin.email } } },
      back: { pipeline: { archived: false, archivedAt: null } },
    });
    expect(answer.turn.pipeline.webhookURL).not.toBe(pipeline.webhookURL);
    const remove =
      'mutation ($id: ID!) { pipelineDelete(input: { id: $id, clientMutationId: "d" }) { clientMutationId deletedPipelineID organization { slug } } }';
    expect(await door.data(remove, { id })).toEqual({
      pipelineDelete: { clientMutationId: 'd', deletedPipelineID: id, organization: { slug: 'acme' } },
    });
    expect((await door.refusal(remove, { id })).code).toBe('NOT_FOUND');
    expect(
      await door.data('query ($id: ID!) { node(id: $id) { id } pipeline(slug: "acme/app") { id } }', { id }),
    ).toEqual({ node: null, pipeline: null });
  });
});
