import type { ConnectionProvider } from '../../src/domain/integrations/provider-connection.js';
import { firstParents } from '../../src/domain/builds/culprit/bounds.js';
import { statusOutcomes } from '../../src/domain/integrations/status-outcome.js';
import { statusWord } from '../support/providers/status-word.js';
import { loopbackNetworks } from '../../src/domain/loopback-host.js';
import { openOutbound } from '../../src/providers/outbound.js';
import { openProviders } from '../../src/providers/open-providers.js';
import type { ProviderCredential, SourceProvider } from '../../src/services/source-providers.js';
import { TestClock } from '../support/clock.js';
import { branchOfCommits, type FakeProvider } from '../support/providers/fake-provider.js';
import { appKey, githubToken, startGithub } from '../support/providers/github.js';
import { startBitbucket, startBitbucketServer, startGitea, startGitlab } from '../support/providers/others.js';

const sha = 'a1'.repeat(20);
const outbound = openOutbound({ allow: loopbackNetworks });
const clock = new TestClock();
const started: FakeProvider[] = [];
afterEach(() => Promise.all(started.splice(0).map((fake) => fake.stop())));
afterAll(() => outbound.close());

const token = (text: string, username: string | null = null): ProviderCredential => ({
  kind: 'token',
  token: text,
  username,
});

async function open(
  provider: ConnectionProvider,
  start: Promise<FakeProvider>,
  path: string,
  credential: ProviderCredential,
): Promise<{ fake: FakeProvider; provider: SourceProvider }> {
  const fake = await start;
  started.push(fake);
  const access = { connectionId: 'c', provider, apiUrl: `${fake.url}${path}`, credential };
  return { fake, provider: openProviders({ outbound, clock }).open(access) };
}

const status = {
  repository: 'acme/app',
  commit: sha,
  branch: 'main',
  outcome: 'passed',
  context: 'buildkite/app',
  description: 'Build #1 passed',
  targetUrl: 'https://ci.example.com/acme/app/builds/1',
  linked: true,
} as const;

const kinds = {
  github: () => open('github', startGithub(), '', token(githubToken)),
  gitlab: () => open('gitlab', startGitlab(), '/api/v4', token('glpat-1')),
  gitea: () => open('gitea', startGitea(), '/api/v1', token('gitea-1')),
  bitbucket: () => open('bitbucket', startBitbucket(), '/2.0', token('bb-1')),
  bitbucket_server: () => open('bitbucket_server', startBitbucketServer(), '', token('dc-1')),
} as const;
const names = Object.keys(kinds) as (keyof typeof kinds)[];
const repositories: Partial<Record<ConnectionProvider, string>> = {
  gitlab: 'acme/sub/app',
  bitbucket_server: 'ACME/app',
};

describe.each(names)('%s', (name) => {
  const repository = repositories[name] ?? 'acme/app';

  test('every outcome is published in its own word', async () => {
    const { fake, provider } = await kinds[name]();
    for (const outcome of statusOutcomes)
      await provider.statuses.publish({ ...status, repository, outcome, context: `ci/${outcome}` });
    expect(fake.statuses).toEqual(
      statusOutcomes.map((outcome) => ({
        repository,
        commit: sha,
        context: `ci/${outcome}`,
        state: statusWord(name, outcome),
      })),
    );
  });

  test('branches and repositories are listed', async () => {
    const { provider } = await kinds[name]();
    const heads = await provider.branches.heads(repository);
    expect(heads['main']).toMatch(/^([a-f])\1{39}$/);
    const search = name === 'bitbucket' ? repository : 'app';
    expect((await provider.repositories.list(search)).map(({ fullName }) => fullName)).toEqual([repository]);
  });

  test('commits are listed from one back to another, over as many pages as there are', async () => {
    const { fake, provider } = await kinds[name]();
    fake.commits = branchOfCommits(300);
    const [after = '', upTo = ''] = [fake.commits[9], fake.commits[259]];
    const commits = await provider.branches.commits({ repository, after, upTo });
    expect(firstParents(commits, after, upTo)).toEqual(fake.commits.slice(10, 260));
  });

  test('commits that do not lead to the other one are listed to their end', async () => {
    const { fake, provider } = await kinds[name]();
    fake.commits = branchOfCommits(120);
    const upTo = fake.commits[119] ?? '';
    const commits = await provider.branches.commits({ repository, after: sha, upTo });
    expect(commits.map((commit) => commit.sha)).toEqual(fake.commits.toReversed());
    expect(firstParents(commits, sha, upTo)).toBeNull();
  });

  test('a wrong credential is refused as one, with the words of the provider', async () => {
    const { fake, provider } = await kinds[name]();
    fake.interrupt = () => ({ status: 401, body: { message: 'Bad credentials' } });
    await expect(provider.check()).rejects.toMatchObject({
      reason: 'it answered 401: Bad credentials',
      facts: { kind: 'credential' },
    });
  });

  test('a limit is refused with the time to wait', async () => {
    const { fake, provider } = await kinds[name]();
    fake.interrupt = () => ({ status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '17' } });
    await expect(provider.statuses.publish({ ...status, repository })).rejects.toMatchObject({
      facts: { kind: 'limited', waitMs: 17_000 },
    });
  });

  test('an absent repository is refused for good', async () => {
    const { fake, provider } = await kinds[name]();
    fake.interrupt = () => ({ status: 404, body: { message: 'Not Found' } });
    await expect(provider.statuses.publish({ ...status, repository })).rejects.toMatchObject({
      facts: { kind: 'final', status: 404 },
    });
  });
});

test.each(['gitlab', 'gitea', 'bitbucket', 'bitbucket_server'] as const)(
  'a webhook is created and deleted, and a commit is read, at %s',
  async (name) => {
    const { provider } = await kinds[name]();
    const repository = repositories[name] ?? 'acme/app';
    const hook = await provider.webhooks.create({ repository, url: 'https://ci.example.com/deliver/1', secret: 's' });
    await provider.webhooks.delete({ repository, ...hook });
    const { message, author } = await provider.branches.commit(repository, sha);
    expect([message, author.name?.toLowerCase(), author.email]).toEqual(['A change', 'ada', 'ada@example.com']);
  },
);

test('a check says whose the credential is, and what it may do where the provider tells', async () => {
  const checks = await Promise.all(
    names.map(async (name) => {
      const { account, permissions, may } = await (await kinds[name]()).provider.check();
      return [name, account, permissions, may.publishStatuses, may.manageWebhooks];
    }),
  );
  expect(checks).toEqual([
    ['github', 'octo', ['repo:status', 'read:org'], true, false],
    ['gitlab', 'ci', ['api'], true, true],
    ['gitea', null, ['write:repository'], true, true],
    ['bitbucket', null, ['repository', 'webhook'], true, true],
    ['bitbucket_server', 'ci', null, null, null],
  ]);
  const { provider } = await open('bitbucket', startBitbucket(), '/2.0', token('app-password', 'ada'));
  expect((await provider.check()).account).toBe('ada');
});

test('Bitbucket Cloud lists the repositories of each workspace, or of the one that the search names', async () => {
  const namesOf = async (provider: SourceProvider, search: string | null) =>
    (await provider.repositories.list(search)).map(({ fullName }) => fullName);
  const ofUser = await open('bitbucket', startBitbucket(), '/2.0', token('app-password', 'ada'));
  expect(await namesOf(ofUser.provider, null)).toEqual(['beta/app', 'acme/app']);
  expect(await namesOf(ofUser.provider, 'app')).toEqual(['beta/app', 'acme/app']);
  expect(await namesOf(ofUser.provider, 'acm')).toEqual(['acme/app']);
  expect(await namesOf(ofUser.provider, 'acme/')).toEqual(['acme/app']);
  expect(await namesOf(ofUser.provider, 'acme/other')).toEqual([]);
  const { provider } = await kinds.bitbucket();
  expect(await namesOf(provider, 'beta/app')).toEqual(['beta/app']);
  await expect(provider.repositories.list(null)).rejects.toMatchObject({
    reason:
      'it answered 403: This API is only accessible with user credentials. A token of a repository or workspace lists those of a workspace that the search names, such as acme/',
    facts: { status: 403 },
  });
});

test('older versions get the states that they know', async () => {
  const gitlab = await open('gitlab', startGitlab({ isOld: true }), '/api/v4', token('glpat-1'));
  for (const outcome of ['running', 'running', 'skipped', 'not_run'] as const)
    await gitlab.provider.statuses.publish({ ...status, outcome });
  expect(gitlab.fake.statuses.map(({ state }) => state)).toEqual(['running', 'canceled', 'success']);
  const gitea = await open('gitea', startGitea({ isOld: true }), '/api/v1', token('gitea-1'));
  await gitea.provider.statuses.publish({ ...status, outcome: 'not_run' });
  expect(gitea.fake.statuses.map(({ state }) => state)).toEqual(['success']);
  const server = await open('bitbucket_server', startBitbucketServer({ isOld: true }), '/rest/api/1.0', token('dc-1'));
  await server.provider.statuses.publish({ ...status, repository: 'ACME/app', outcome: 'canceled' });
  expect(server.fake.statuses.map(({ state }) => state)).toEqual(['FAILED']);
});

test('contexts that Bitbucket Cloud would cut keep their difference', async () => {
  const { fake, provider } = await kinds.bitbucket();
  const long = `buildkite/a-pipeline-with-a-long-name/a step`;
  for (const context of [`${long} one`, `${long} two`, 'short'])
    await provider.statuses.publish({ ...status, context });
  const keys = fake.statuses.map(({ context }) => context);
  expect(new Set(keys).size).toBe(3);
  expect(keys.map((key) => key.length)).toEqual([40, 40, 5]);
});

test.each([
  [
    'a secondary limit without headers',
    403,
    { message: 'You have exceeded a secondary rate limit.' },
    {},
    'limited',
    60_000,
  ],
  [
    'a limit that is used up',
    403,
    { message: 'API rate limit exceeded' },
    { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '90' },
    'limited',
    90_000,
  ],
  ['a right that is missing', 403, { message: 'Resource not accessible by integration' }, {}, 'credential', null],
  ['a commit that is not there yet', 422, { message: 'No commit found for SHA: 1' }, {}, 'final', null],
  ['a fault of the host', 502, { message: 'Bad gateway' }, {}, 'busy', null],
] as const)('GitHub: %s', async (_title, code, body, headers, kind, waitMs) => {
  const { fake, provider } = await kinds.github();
  fake.interrupt = () => ({ status: code, body, headers });
  await expect(provider.statuses.publish(status)).rejects.toMatchObject({ facts: { kind, waitMs } });
});

describe('a GitHub App', () => {
  const openApp = () =>
    open(
      'github_app',
      startGithub(() => clock.now()),
      '',
      { kind: 'app', appId: '12345', privateKey: appKey },
    );

  test('mints one token of its installation for many statuses, and another before it ends', async () => {
    const { fake, provider } = await openApp();
    const mints = () => fake.requests.filter(({ path }) => path.endsWith('/access_tokens')).length;
    for (let at = 0; at < 5; at += 1) await provider.statuses.publish({ ...status, context: `ci/${at}` });
    expect([fake.statuses.length, mints()]).toEqual([5, 1]);
    clock.advance(56 * 60);
    await provider.statuses.publish(status);
    expect(mints()).toBe(2);
  });

  test('renews a token that was revoked once, and gives up then', async () => {
    const { fake, provider } = await openApp();
    await provider.statuses.publish(status);
    let refusals = 0;
    fake.interrupt = ({ path }) =>
      path.includes('/statuses/') && refusals++ < 1 ? { status: 401, body: { message: 'Bad credentials' } } : undefined;
    await provider.statuses.publish(status);
    expect(fake.statuses).toHaveLength(2);
    fake.interrupt = ({ path }) =>
      path.includes('/statuses/') ? { status: 401, body: { message: 'Bad credentials' } } : undefined;
    await expect(provider.statuses.publish(status)).rejects.toMatchObject({ facts: { kind: 'credential' } });
  });

  test('mints a token that reads one repository, keeps it, and says where it is not installed', async () => {
    const { fake, provider } = await openApp();
    const first = await provider.repositoryTokens?.mint('acme/app');
    expect(first).toMatchObject({ username: 'x-access-token', token: expect.stringMatching(/^ghs_\d+_app$/) });
    expect(await provider.repositoryTokens?.mint('acme/app')).toEqual(first);
    expect(fake.requests.filter(({ path }) => path.endsWith('/access_tokens')).map(({ body }) => body)).toEqual([
      { repositories: ['app'], permissions: { contents: 'read' } },
    ]);
    await expect(provider.repositoryTokens?.mint('else/where')).rejects.toThrow(
      'the App is not installed on else/where',
    );
  });

  test('tells its permissions, and lists the repositories that it is installed on', async () => {
    const { provider } = await openApp();
    expect(await provider.check()).toMatchObject({
      account: 'Slipway',
      permissions: ['statuses:write', 'metadata:read'],
      may: { publishStatuses: true, manageWebhooks: false, readRepositories: false },
    });
    expect((await provider.repositories.list(null)).map(({ cloneUrl }) => cloneUrl)).toEqual([
      'https://github.com/acme/app.git',
    ]);
  });
});
