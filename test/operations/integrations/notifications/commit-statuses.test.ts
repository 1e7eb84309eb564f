import { createBuild } from '../../../../src/operations/builds/create.js';
import { publishCommitStatuses } from '../../../../src/background/integrations/publish-commit-statuses.js';
import { previewCommitStatuses } from '../../../../src/operations/builds/commit-statuses/preview.js';
import { sealToken } from '../../../../src/engine/notifications/connection-access.js';
import { JobRunner } from '../../../support/job-runner.js';
import { Receiver } from '../../../support/receiver.js';
import { World } from '../../../support/world.js';

const sha = 'a'.repeat(40);

describe('commit statuses sent to the source provider', () => {
  let world: World;
  let provider: Receiver;
  let runner: JobRunner;
  beforeAll(async () => {
    world = await World.create();
    runner = new JobRunner(world);
  });
  beforeEach(async () => {
    provider = await Receiver.open();
    const { services, clock, organization } = world;
    await services.db.deleteFrom('provider_connections').execute();
    await services.db.deleteFrom('commit_statuses').execute();
    await services.db.deleteFrom('commit_status_marks').execute();
    await services.db.deleteFrom('provider_connection_states').execute();
    await services.db
      .insertInto('provider_connections')
      .values({
        id: world.system().newId(),
        organizationId: organization.id,
        provider: 'github',
        host: 'github.com',
        apiUrl: new URL(provider.url).origin,
        token: sealToken(services, 'a-provider-token'),
        createdAt: clock.now(),
        updatedAt: clock.now(),
      })
      .execute();
  });
  afterEach(() => provider.close());
  afterAll(() => world.close());

  const build = async (slug: string, commit = sha, more: object = {}) =>
    (
      await world.perform(world.admin, createBuild, {
        pipeline: { organization: 'acme', slug },
        commit,
        branch: 'main',
        ...more,
      })
    ).build;
  const publish = async (seconds = 2) => {
    world.clock.advance(seconds);
    while (await publishCommitStatuses(world.services));
  };
  const said = () => provider.received.map(({ body }) => `${body.context} ${body.state}`);

  test('a build is reported as pending and then with its result, and changes in between are not sent [api-v2:ioneff]', async () => {
    await world.pipeline('steps: [{ command: "a" }, { command: "b" }]', { slug: 'plain' });
    const made = await build('plain');
    await publish();
    await runner.runAll(made.id);
    await publish();
    await publish(3600);
    expect(said()).toEqual(['buildkite/plain pending', 'buildkite/plain success']);
    expect(provider.received[0]).toMatchObject({
      path: `/repos/acme/app/statuses/${sha}`,
      headers: { authorization: 'Bearer a-provider-token' },
      body: {
        target_url: `http://slipway.test/acme/plain/builds/${made.number}`,
        description: `Build #${made.number} is scheduled`,
      },
    });
  });

  test('a status for each step, and blocked builds as pending, are sent as the settings say [api-v2:bppfik,faiaia]', async () => {
    await world.pipeline('steps: [{ command: "a", key: "lint" }, { block: "go" }, { command: "b", key: "ship" }]', {
      slug: 'stepped',
      providerSettings: { publish_commit_status_per_step: true, publish_blocked_as_pending: true } as never,
    });
    const made = await build('stepped');
    await runner.runAll(made.id);
    await publish();
    expect(said().sort()).toEqual([
      'buildkite/stepped pending',
      'buildkite/stepped/lint success',
      'buildkite/stepped/ship pending',
    ]);
  });

  test('builds of pull requests have a status context of their own where that setting is on [api-v2:aboopb]', async () => {
    for (const [slug, separate] of [
      ['together', false],
      ['apart', true],
    ] as const) {
      await world.pipeline('steps: [{ command: "a" }]', {
        slug,
        providerSettings: { separate_pull_request_statuses: separate } as never,
      });
      await build(slug, sha, { pullRequestId: '7' });
    }
    await publish();
    expect(said().sort()).toEqual(['buildkite/apart/pr pending', 'buildkite/together pending']);
  });

  test("commit statuses follow the pipeline document's notify entries, and nothing else is sent when the setting is off [api-v2:ioneff]", async () => {
    await world.pipeline(
      'steps: [{ command: "a" }]\nnotify:\n  - github_commit_status: { context: "ci/asked" }\n  - github_commit_status: { context: "never" }\n    if: build.branch == "other"\n',
      { slug: 'asked', providerSettings: { publish_commit_status: false } as never },
    );
    await build('asked');
    await publish();
    expect(said()).toEqual(['ci/asked pending']);
  });

  test('a dry run tells what a build would send and why one would not be sent, and sends nothing', async () => {
    await world.pipeline(
      'steps: [{ command: "a", label: "One", notify: [{ github_check: { name: "lint" } }] }]\nnotify:\n  - github_commit_status: { context: "ci/asked" }\n  - github_commit_status: { context: "never" }\n    if: build.branch == "other"\n',
      { slug: 'planned', providerSettings: { publish_commit_status_per_step: true } as never },
    );
    const preview = ({ id }: { id: string }) => world.perform(world.admin, previewCommitStatuses, { build: { id } });
    const made = await build('planned');
    const told = await preview(made);
    expect(told.map(({ context, state }) => `${context} ${state}`)).toEqual([
      'buildkite/planned pending',
      'ci/asked pending',
      'buildkite/planned/One pending',
      'check: lint pending',
    ]);
    expect(told.map(({ problem }) => problem)).toEqual([
      null,
      null,
      null,
      'Not sent: github_check needs a GitHub App, and github.com is connected by a token',
    ]);
    await publish();
    expect(said()).toEqual(told.slice(0, 3).map(({ context, state }) => `${context} ${state}`));
    await runner.runAll(made.id, () => 1);
    expect((await preview(made)).map(({ state }) => state)).toEqual(['failure', 'failure', 'failure', 'failure']);
    const head = await preview(await build('planned', 'HEAD'));
    expect(head[0]!.problem).toBe('Not sent: "HEAD" is not a whole commit id');
    await world.services.db.deleteFrom('provider_connections').execute();
    expect((await preview(made))[0]!.problem).toBe(
      "Not sent: the organization has no connection to the repository's host",
    );
  });

  test('after an outage of the provider only the latest status is sent', async () => {
    await world.pipeline('steps: [{ command: "a" }]', { slug: 'away' });
    provider.answer = () => 502;
    const made = await build('away');
    await publish();
    await runner.runAll(made.id, () => 1);
    await publish();
    provider.answer = () => 201;
    provider.received.length = 0;
    await publish(3600);
    expect(said()).toEqual(['buildkite/away failure']);
    const rows = await world.services.db.selectFrom('commit_statuses').select(['lastError', 'nextAttemptAt']).execute();
    expect(rows).toEqual([{ lastError: null, nextAttemptAt: null }]);
  });

  test('no status is sent without a connection or for a commit that is no full SHA, and a final refusal is not repeated', async () => {
    await world.pipeline('steps: [{ command: "a" }]', { slug: 'none' });
    await build('none', 'HEAD');
    await world.services.db.updateTable('provider_connections').set({ host: 'elsewhere.example.com' }).execute();
    await build('none');
    await publish();
    expect(await world.services.db.selectFrom('commit_statuses').select('context').execute()).toEqual([]);
    await world.services.db.updateTable('provider_connections').set({ host: 'github.com' }).execute();
    provider.answer = () => 404;
    await build('none');
    for (let hour = 0; hour < 30; hour += 1) await publish(3600);
    expect(provider.received).toHaveLength(1);
    expect(
      await world.services.db.selectFrom('commit_statuses').select(['nextAttemptAt', 'lastError']).execute(),
    ).toEqual([{ nextAttemptAt: null, lastError: expect.stringContaining('404') }]);
  });
});
