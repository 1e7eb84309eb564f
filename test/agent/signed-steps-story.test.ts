import { join } from 'node:path';

import type { AgentOptions } from '../../src/agent/options.js';
import { startAgent } from '../../src/agent/session/start-agent.js';
import { writeKeyPair } from '../../src/agent/signing/key-set.js';
import type { JobRow } from '../../src/entities/database.js';
import { ArtifactWorld } from '../support/artifact-world.js';
import { temporaryDirectory } from '../support/database.js';
import { commandProgram } from '../support/program.js';
import { buildOf, jobNow } from '../support/scripted-agent.js';
import { logTextOf, serveWorld } from '../support/served-world.js';

const pipeline = {
  env: { REGION: 'north' },
  steps: [
    {
      label: 'test {{matrix}}',
      command: 'echo "{{matrix}} in $REGION"',
      matrix: ['one', 'two'],
      env: { KIND: 'x{{matrix}}' },
    },
    { label: 'plain', commands: ['echo a', 'echo b'] },
  ],
};

describe('signed steps, on a real server with bundled agents', () => {
  let on: ArtifactWorld;
  let close: () => Promise<void>;
  const folder = temporaryDirectory();
  const keys = { private: join(folder.path, 'private.json'), public: join(folder.path, 'public.json') };

  beforeAll(async () => {
    on = await ArtifactWorld.create();
    close = await serveWorld(on);
    await writeKeyPair({ algorithm: 'EdDSA', privatePath: keys.private, publicPath: keys.public });
  });
  afterAll(async () => {
    await close();
    folder.remove();
  });

  /** Runs one job by an agent of its own, and returns its row and its log. */
  async function run(id: string, options: Partial<AgentOptions>): Promise<{ job: JobRow; log: string }> {
    await startAgent({
      endpoint: `${on.world.services.baseUrl}/v3`,
      token: on.world.agentToken,
      buildPath: folder.path,
      acquireJob: id,
      retryScale: 0.001,
      commandProgram: commandProgram(),
      ...options,
    });
    return { job: await jobNow(on.world, id), log: await logTextOf(on, id) };
  }
  const jobsOf = (buildId: string) =>
    on.world.services.db
      .selectFrom('jobs')
      .selectAll()
      .where('buildId', '=', buildId)
      .where('retried', '=', false)
      .orderBy('position')
      .orderBy('id')
      .execute();

  test('an agent with keys signs what its jobs upload, and an agent that verifies runs that and nothing else', async () => {
    const text = JSON.stringify(pipeline).replaceAll("'", '');
    const { build, first } = await buildOf(
      on.world,
      JSON.stringify({
        steps: [{ command: `printf '%s' '${text.replaceAll('$', () => '$$')}' | buildkite-agent pipeline upload` }],
      }),
      { env: { BUILDKITE_SKIP_CHECKOUT: 'true' } },
    );
    const uploaded = await run(first.id, { signing: { keysFile: keys.private } });
    expect([uploaded.log, uploaded.job.exitStatus]).toEqual([expect.stringContaining('Uploaded pipeline 1 of 1'), 0]);
    const verifying = { verificationKeysFile: keys.public };
    const [, one, two, plain] = await jobsOf(build.id);
    for (const [job, line] of [
      [one, 'one in north'],
      [two, 'two in north'],
      [plain, 'b'],
    ] as const) {
      const { job: ended, log } = await run(job?.id ?? '', verifying);
      expect([log, ended.exitStatus]).toEqual([expect.stringContaining(`${line}\n`), 0]);
    }

    const other = await buildOf(on.world, 'steps: [{ command: "echo not signed" }]', {
      env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
    });
    const refused = await run(other.first.id, verifying);
    expect(refused.log).toContain('This step is not signed.');
    expect(refused.log).not.toContain('Running commands');
    expect(refused.job).toMatchObject({ exitStatus: -1, signalReason: 'signature_rejected' });

    const third = await buildOf(on.world, 'steps: [{ command: "echo anyway" }]', {
      env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
    });
    const warned = await run(third.first.id, { ...verifying, verificationFailureBehavior: 'warn' });
    expect([warned.log, warned.job.exitStatus]).toEqual([
      expect.stringMatching(/This step is not signed[^]*anyway\n/),
      0,
    ]);

    // A signature of another step is worth nothing, even for the same repository and variables.
    const { definition } = await on.world.services.db
      .selectFrom('steps')
      .select('definition')
      .where('id', '=', plain?.stepId ?? '')
      .executeTakeFirstOrThrow();
    const forged = await buildOf(
      on.world,
      JSON.stringify({ steps: [{ command: 'echo evil', signature: definition['signature'] }] }),
      { env: { BUILDKITE_SKIP_CHECKOUT: 'true', REGION: 'north' } },
    );
    const stopped = await run(forged.first.id, verifying);
    expect(stopped.log).toContain('The signature of this step does not match it.');
    expect(stopped.log).not.toContain('evil\n');
  }, 60_000);
});
