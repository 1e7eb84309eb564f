import { publishCommitStatuses } from '../../../../src/background/integrations/publish-commit-statuses.js';
import { sealToken } from '../../../../src/engine/notifications/connection-access.js';
import { createCulpritSearch } from '../../../../src/operations/builds/culprit-searches/create.js';
import { readBadge } from '../../../../src/operations/pipelines/badges/read.js';
import { perform } from '../../../../src/core/operation.js';
import { badgeTokenColumns, badgeTokenOf } from '../../../../src/resources/pipelines/url-token.js';
import type { FakeProvider } from '../../../support/providers/fake-provider.js';
import { githubToken, startGithub } from '../../../support/providers/github.js';
import { positionOf, RedBranch, shaOf } from '../../../support/red-branch.js';
import { World } from '../../../support/world.js';

describe('a search for a culprit of a repository at a connected source provider', () => {
  let world: World;
  let github: FakeProvider;
  beforeAll(async () => {
    world = await World.create();
    github = await startGithub();
    github.commits = Array.from({ length: 150 }, (_, index) => shaOf(index + 1));
    const { services, clock, organization } = world;
    await services.db
      .insertInto('provider_connections')
      .values({
        id: world.system().newId(),
        organizationId: organization.id,
        provider: 'github',
        host: 'github.com',
        apiUrl: github.url,
        token: sealToken(services, githubToken),
        createdAt: clock.now(),
        updatedAt: clock.now(),
      })
      .execute();
  });
  afterAll(async () => {
    await github.stop();
    await world.close();
  });

  const begin = async (build: { id: string }) =>
    (await world.perform(world.admin, createCulpritSearch, { build: { id: build.id } })).search.id;
  const publish = async () => {
    world.clock.advance(2_000);
    while (await publishCommitStatuses(world.services));
    return github.statuses.splice(0).map(({ commit, context, state }) => `${positionOf(commit)} ${context} ${state}`);
  };

  test('takes its commits, and publishes the culprit and nothing else', async () => {
    const branch = await RedBranch.of(world, 'steps: [{ label: Unit tests, command: test }]', {
      slug: 'app',
      ...badgeTokenColumns(world.services),
    });
    await branch.build(1);
    const bad = await branch.build(140, { 'Unit tests': 1 });
    await publish();
    const id = await begin(bad);
    const { search } = await branch.runSearch(id, (position) => (position >= 77 ? 1 : 0));
    expect(search).toMatchObject({ commitsFrom: 'provider', culpritCommit: shaOf(77) });
    expect(search.commits).toEqual(github.commits.slice(1, 140));
    expect(await publish()).toEqual(['77 slipway/culprit failure']);
    expect(github.requests.at(-1)?.body).toMatchObject({
      description: `Turned main red in build #${bad.number}: Unit tests`,
      target_url: expect.stringMatching(/\/acme\/app\/builds\/\d+$/),
    });
    // The last result of the branch is still that of its push.
    const { status } = await perform(readBadge, world.system(), {
      token: badgeTokenOf(world.services, branch.pipeline),
    });
    expect(status).toBe('failing');
  });

  test('publishes a culprit that is the commit of the failed build with that build', async () => {
    const branch = await RedBranch.of(world, 'steps: [{ label: test, command: test }]', { slug: 'next' });
    await branch.build(10);
    const bad = await branch.build(11, { test: 1 });
    await publish();
    const { search } = await branch.runSearch(await begin(bad), () => 1);
    expect(search).toMatchObject({ state: 'finished', culpritCommit: shaOf(11) });
    expect(await publish()).toEqual(['11 slipway/culprit failure']);
  });

  test('publishes nothing where the pipeline publishes no statuses', async () => {
    const branch = await RedBranch.of(world, 'steps: [{ label: test, command: test }]', {
      slug: 'quiet',
      providerSettings: { publish_commit_status: false } as never,
    });
    await branch.build(20);
    const bad = await branch.build(30, { test: 1 });
    const { search } = await branch.runSearch(await begin(bad), (position) => (position >= 25 ? 1 : 0));
    expect(search.culpritCommit).toBe(shaOf(25));
    expect(await publish()).toEqual([]);
  });

  test('takes the commits of builds where the provider is away, or history was rewritten', async () => {
    const branch = await RedBranch.of(world, 'steps: [{ label: test, command: test }]', { slug: 'rewritten' });
    await branch.build(900);
    await branch.build(901, { test: -1 });
    const bad = await branch.build(50, { test: 1 });
    const rewritten = await branch.runSearch(await begin(bad), () => 0);
    expect(rewritten.search).toMatchObject({ commitsFrom: 'builds', commits: [shaOf(901), shaOf(50)] });
    github.interrupt = () => ({ status: 503, body: { message: 'away' } });
    const away = await branch.runSearch(await begin(bad), () => 0);
    github.interrupt = () => undefined;
    expect(away.search).toMatchObject({ commitsFrom: 'builds', culpritCommit: shaOf(50) });
  });

  test('ends where there are too many commits between', async () => {
    const branch = await RedBranch.of(world, 'steps: [{ label: test, command: test }]', { slug: 'long' });
    github.commits = Array.from({ length: 1_100 }, (_, index) => shaOf(index + 1));
    await branch.build(1);
    const bad = await branch.build(1_100, { test: 1 });
    const { search } = await branch.runSearch(await begin(bad), () => 0);
    expect(search).toMatchObject({
      state: 'failed',
      commits: [],
      reason: 'There are more than 1000 commits since the last passed build.',
    });
  });
});
