import { publishCommitStatuses } from '../../../../src/background/integrations/publish-commit-statuses.js';
import { cancelBuild } from '../../../../src/operations/builds/cancel.js';
import { createBuild } from '../../../../src/operations/builds/create.js';
import { createProviderConnection } from '../../../../src/operations/integrations/provider-connections/create.js';
import type { FakeProvider } from '../../../support/providers/fake-provider.js';
import { githubToken, startGithub } from '../../../support/providers/github.js';
import { SentStatements } from '../../../support/sent-statements.js';
import { World } from '../../../support/world.js';

const builds = 100;
const steps = 100;
const secondsBetween = 15;
/** GitHub takes 80 requests a minute that make content. */
const allowedPerMinute = 80;
const minuteMs = 60_000;
const commitOf = (index: number) => (0xabc_0000 + index).toString(16).padEnd(40, 'b');

describe('100 builds of 100 steps at once, with a status for each step', () => {
  let world: World;
  let github: FakeProvider;
  let sent: SentStatements;
  /** When each request arrived, by the clock of the installation. */
  const arrivals: number[] = [];
  beforeAll(async () => {
    sent = new SentStatements();
    world = await World.create({ embedded: sent.embedded });
    github = await startGithub();
    github.interrupt = () => {
      arrivals.push(world.clock.now().getTime());
      return undefined;
    };
    await world.perform(world.admin, createProviderConnection, {
      organization: { slug: 'acme' },
      provider: 'github',
      apiUrl: github.url,
      token: githubToken,
    });
  });
  afterAll(async () => {
    sent.close();
    await github.stop();
    await world.close();
  });

  const publish = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1) {
      world.clock.advance(secondsBetween);
      while (await publishCommitStatuses(world.services));
    }
  };
  const waiting = async () =>
    Number(
      (
        await world.services.db
          .selectFrom('commit_statuses')
          .select((eb) => eb.fn.countAll().as('count'))
          .where('nextAttemptAt', 'is not', null)
          .executeTakeFirstOrThrow()
      ).count,
    );

  test('GitHub gets no more a minute than it takes, whole builds first, every last state, and few statements', async () => {
    const yaml = `steps:\n${Array.from({ length: steps }, (_, index) => `  - { command: "a", key: "step-${index}" }\n`).join('')}`;
    await world.pipeline(yaml, { slug: 'wide', providerSettings: { publish_commit_status_per_step: true } as never });
    const made: { id: string }[] = [];
    for (let index = 0; index < builds; index += 1)
      made.push(
        (
          await world.perform(world.admin, createBuild, {
            pipeline: { organization: 'acme', slug: 'wide' },
            commit: commitOf(index),
            branch: 'main',
          })
        ).build,
      );
    await publish(8);
    // Results of builds come before those of their steps: ten minutes of statuses of steps would hold them up.
    const first = github.statuses.slice(0, builds);
    expect(new Set(first.map(({ context }) => context))).toEqual(new Set(['buildkite/wide']));
    expect(new Set(first.map(({ commit }) => commit)).size).toBe(builds);
    for (const build of made) await world.perform(world.admin, cancelBuild, { build: { id: build.id } });

    const statements = await sent.during(async () => {
      for (let round = 0; round < 1_000 && (round === 0 || (await waiting()) > 0); round += 1) await publish(1);
    });
    expect(await waiting()).toBe(0);

    const last = new Map(github.statuses.map(({ commit, context, state }) => [`${commit} ${context}`, state]));
    expect(last.size).toBe(builds * (steps + 1));
    expect([...last.values()].filter((state) => state === 'pending')).toEqual([]);
    // The first state of most steps was never sent: the last took its place while it waited.
    expect(github.statuses.length).toBeLessThan(builds * (steps + 2) + steps);

    const busiest = Math.max(
      ...arrivals.map((from, index) => arrivals.slice(index).filter((at) => at < from + minuteMs).length),
    );
    expect(busiest).toBeLessThanOrEqual(allowedPerMinute);
    process.stderr.write(`${github.statuses.length} ${busiest} ${statements.length}\n`);
    // A batch of 15 statuses is computed, taken and stored together.
    expect(statements.length / github.statuses.length).toBeLessThan(2);
  }, 300_000);
});
