import { join } from 'node:path';

import { startAgent } from '../../src/agent/session/start-agent.js';
import { ArtifactWorld } from '../support/artifact-world.js';
import { temporaryDirectory } from '../support/database.js';
import { GitRepository } from '../support/git-repository.js';
import { commandProgram } from '../support/program.js';
import { buildNow, buildOf } from '../support/scripted-agent.js';
import { logTextOf, serveWorld } from '../support/served-world.js';

const pipeline = `
env:
  GREETING: "hello \${BUILDKITE_BRANCH}"
steps:
  - key: test
    label: "test {{matrix}}"
    command: |
      echo "$$GREETING from {{matrix}}"
      mkdir -p out && echo "{{matrix}}" > "out/{{matrix}}.txt"
    matrix: [one, two]
    artifact_paths: out/*.txt
    plugins:
      - ./.buildkite/plugins/say:
          word: $$VENDORED
  - wait
  - key: collect
    command: .buildkite/collect.sh
  - block: "Release?"
`;

const collect = `#!/bin/sh
set -e
buildkite-agent artifact download "out/*.txt" .
cat out/one.txt out/two.txt
echo "tests $(buildkite-agent step get outcome --step test)"
buildkite-agent meta-data set collected yes
buildkite-agent annotate "All collected" --style success
echo 'steps: [{command: "echo \${COLOR?} $$COLOR", key: last, env: {COLOR: red}}]' | COLOR=blue buildkite-agent pipeline upload
`;

describe("a team's own repository, on a real server with the bundled agent", () => {
  let on: ArtifactWorld;
  let close: () => Promise<void>;
  const repository = new GitRepository();
  const builds = temporaryDirectory();

  beforeAll(async () => {
    on = await ArtifactWorld.create();
    close = await serveWorld(on);
    repository.commit({
      '.buildkite/pipeline.yml': pipeline,
      '.buildkite/collect.sh': collect,
      '.buildkite/hooks/pre-command': 'export VENDORED=seen; echo "hook of the repository"',
      '.buildkite/plugins/say/hooks/pre-command': 'echo "plugin says $BUILDKITE_PLUGIN_SAY_WORD"',
    });
  });
  afterAll(async () => {
    await close();
    builds.remove();
    repository.remove();
  });

  const jobsOf = (buildId: string) =>
    on.world.services.db
      .selectFrom('jobs')
      .selectAll()
      .where('buildId', '=', buildId)
      .where('type', '=', 'command')
      .orderBy('position')
      .orderBy('id')
      .execute();

  const logOf = (jobId: string) => logTextOf(on, jobId);

  /** Runs the build's jobs one after the other, each by an agent of its own, until none is left to run. */
  async function runAll(buildId: string): Promise<void> {
    for (;;) {
      const next = (await jobsOf(buildId)).find(({ state }) => state === 'scheduled');
      if (!next) return;
      await startAgent({
        endpoint: `${on.world.services.baseUrl}/v3`,
        token: on.world.agentToken,
        name: 'vm',
        buildPath: builds.path,
        pluginsPath: join(builds.path, 'plugins'),
        acquireJob: next.id,
        retryScale: 0.001,
        commandProgram: commandProgram(),
      });
    }
  }

  test('one command uploads the pipeline file, and its steps run with hooks, a plugin, artifacts and a second upload', async () => {
    const { build, first } = await buildOf(
      on.world,
      JSON.stringify({ steps: [{ command: 'buildkite-agent pipeline upload' }] }),
    );
    await on.world.services.db
      .updateTable('pipelines')
      .set({ repository: repository.path })
      .where('id', '=', build.pipelineId)
      .execute();
    await runAll(build.id);

    const jobs = await jobsOf(build.id);
    const logs = new Map(await Promise.all(jobs.map(async (job) => [job.id, await logOf(job.id)] as const)));
    expect(logs.get(first.id)).toContain('Uploaded pipeline 1 of 1 from .buildkite/pipeline.yml');
    expect(jobs.map(({ state, exitStatus }) => [state, exitStatus])).toEqual(jobs.map(() => ['finished', 0]));
    const texts = jobs.map((job) => logs.get(job.id) ?? '');
    expect(texts).toHaveLength(5);
    const [, one = '', two = '', collected = '', last = ''] = texts;
    for (const [word, text] of [
      ['one', one],
      ['two', two],
    ] as const) {
      expect(text).toContain(`\nhello main from ${word}\n`);
      expect(text).toContain('\nhook of the repository\n');
      expect(text).toContain('\nplugin says $VENDORED\n');
      expect(text).toContain(`Uploading artifact out/${word}.txt`);
    }
    expect(collected).toContain('\none\ntwo\ntests passed\n');
    expect(last).toContain('\nblue red\n');
    expect((await buildNow(on.world, build.id)).state).toBe('blocked');
    // Twenty programs of Node one after the other.
  }, 180_000);

  test('a pipeline that the server refuses fails the job with its reason', async () => {
    const { first } = await buildOf(
      on.world,
      JSON.stringify({
        steps: [{ command: 'echo "steps: [{command: x, parallelism: many}]" | buildkite-agent pipeline upload' }],
      }),
      { env: { BUILDKITE_SKIP_CHECKOUT: 'true' } },
    );
    await runAll(first.buildId);
    expect(await logOf(first.id)).toMatch(/\nfatal: POST .*pipelines.*: 422: .*parallelism/);
    expect(await jobsOf(first.buildId)).toMatchObject([{ state: 'finished', exitStatus: 1 }]);
  });
});
