import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loopbackNetworks } from '../../src/domain/loopback-host.js';
import { statusOutcomes } from '../../src/domain/integrations/status-outcome.js';
import { openOutbound } from '../../src/providers/outbound.js';
import { openProviders } from '../../src/providers/open-providers.js';
import type { Outbound } from '../../src/services/services.js';
import type { ProviderCredential, SourceProvider } from '../../src/services/source-providers.js';
import type { ConnectionProvider } from '../../src/domain/integrations/provider-connection.js';
import { TestClock } from '../support/clock.js';
import { describeUnless } from '../support/skips.js';
import type { FakeProvider } from '../support/providers/fake-provider.js';
import { appKey, githubToken, startGithub } from '../support/providers/github.js';
import { startBitbucket, startBitbucketServer, startGitea, startGitlab } from '../support/providers/others.js';
import { PublishedDocument } from '../support/providers/published-document.js';

const commit = 'a1'.repeat(20);
const repository = 'acme/app';

interface Kind {
  provider: ConnectionProvider;
  document: string;
  start: (clock: TestClock) => Promise<FakeProvider>;
  /** Path of its API on its server. */
  path: string;
  credential: ProviderCredential;
}

/** What a document leaves out and its host describes elsewhere. */
const describedElsewhere: Record<string, RegExp[]> = {
  // Bitbucket's pages on filtering, paging and partial replies hold for every route; `type` is in every object of the
  // document as the mark of its kind, and its own examples send none.
  bitbucket: [/^GET .* has no parameter (pagelen|page|fields)$/, /: body must have required property 'type'$/],
};

const token = (text: string): ProviderCredential => ({ kind: 'token', token: text, username: null });
const kinds: Kind[] = [
  { provider: 'github', document: 'github', start: () => startGithub(), path: '', credential: token(githubToken) },
  {
    provider: 'github_app',
    document: 'github',
    start: (clock) => startGithub(() => clock.now()),
    path: '',
    credential: { kind: 'app', appId: '12345', privateKey: appKey },
  },
  {
    provider: 'gitea',
    document: 'gitea',
    start: () => startGitea(),
    path: '/api/v1',
    credential: token('gitea-1'),
  },
  {
    provider: 'bitbucket',
    document: 'bitbucket',
    start: () => startBitbucket(),
    path: '/2.0',
    credential: { kind: 'token', token: 'app-password', username: 'ada' },
  },
];

/** Every request that a provider makes; what the imitation lacks is asked for all the same. */
async function askEverything(provider: SourceProvider): Promise<void> {
  const status = {
    repository,
    commit,
    branch: 'main',
    context: 'buildkite/app',
    description: 'Build #1',
    targetUrl: 'https://ci.example.com/acme/app/builds/1',
    linked: true,
  };
  for (const outcome of statusOutcomes) {
    await provider.statuses.publish({ ...status, outcome }).catch(() => undefined);
    const annotation = { path: 'a.ts', start_line: 1, end_line: 1, annotation_level: 'failure', message: 'Wrong' };
    const run = {
      ...status,
      outcome,
      name: 'Slipway',
      externalId: 'c0ffee00-0000-4000-8000-000000000000',
      title: 'Failed',
      summary: 'One of two failed',
      text: '**a.ts**',
      annotations: [annotation],
    };
    await provider.checks?.publish(run as never, null).catch(() => undefined);
    await provider.checks?.publish(run as never, '1').catch(() => undefined);
  }
  const asked: (() => Promise<unknown> | undefined)[] = [
    () => provider.check(),
    () => provider.branches.heads(repository),
    () => provider.branches.commit(repository, commit),
    () => provider.branches.commits({ repository, after: commit, upTo: commit }),
    () => provider.repositories.list('app'),
    () => provider.repositories.list(null),
    () => provider.webhooks.create({ repository, url: 'https://ci.example.com/deliver/1', secret: 's' }),
    () => provider.webhooks.delete({ repository, externalId: '1' }),
    () => provider.repositoryTokens?.mint(repository),
  ];
  for (const ask of asked) await ask()?.catch(() => undefined);
}

/** Hosts whose routes are described here, from their public pages. */
const describedKinds: Kind[] = [
  {
    provider: 'gitlab',
    document: 'gitlab',
    start: () => startGitlab(),
    path: '/api/v4',
    credential: token('glpat-1'),
  },
  {
    provider: 'bitbucket_server',
    document: 'bitbucket_server',
    start: () => startBitbucketServer(),
    path: '',
    credential: token('dc-1'),
  },
  {
    provider: 'bitbucket_server',
    document: 'bitbucket_server',
    start: () => startBitbucketServer({ isOld: true }),
    path: '',
    credential: token('dc-1'),
  },
];

/** Routes, parameters and fields that a provider asks for and its document does not have. */
async function problemsOf(outbound: Outbound, file: string, { provider, document, start, path, credential }: Kind) {
  const clock = new TestClock();
  const fake = await start(clock);
  const access = { connectionId: 'c', provider, apiUrl: `${fake.url}${path}`, credential };
  await askEverything(openProviders({ outbound, clock }).open(access));
  await fake.stop();
  const published = new PublishedDocument(file);
  expect(fake.requests.length).toBeGreaterThan(10);
  const problems = fake.requests.flatMap((request) => published.problems(request, path));
  const isDescribed = (problem: string) => describedElsewhere[document]?.some((each) => each.test(problem));
  return problems.filter((problem) => !isDescribed(problem));
}

describe('requests to source providers, beside what their public pages say', () => {
  const outbound = openOutbound({ allow: loopbackNetworks });
  afterAll(() => outbound.close());

  test.each(describedKinds)('every route, parameter and field sent to $provider is a known one', async (kind) => {
    const file = new URL(`../support/providers/described/${kind.document}.json`, import.meta.url);
    expect(await problemsOf(outbound, fileURLToPath(file), kind)).toEqual([]);
  });
});

const folder = process.env['PROVIDER_DOCUMENTS'];
const absent = folder === undefined ? 'PROVIDER_DOCUMENTS does not name a folder with github.json, gitea.json …' : null;

describeUnless(absent, 'requests to source providers, beside the documents that these publish', () => {
  const outbound = openOutbound({ allow: loopbackNetworks });
  afterAll(() => outbound.close());

  test.each(kinds.filter(({ document }) => existsSync(join(folder ?? '', `${document}.json`))))(
    'every route, parameter and field sent to $provider is a documented one',
    async (kind) => {
      expect(await problemsOf(outbound, join(folder ?? '', `${kind.document}.json`), kind)).toEqual([]);
    },
  );
});
