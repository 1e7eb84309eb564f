import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startAgent } from '../../../src/agent/session/start-agent.js';
import { ArtifactWorld } from '../../support/artifact-world.js';
import { temporaryDirectory } from '../../support/database.js';
import { commandProgram } from '../../support/program.js';
import { buildOf, jobNow } from '../../support/scripted-agent.js';
import { logTextOf, serveWorld } from '../../support/served-world.js';

describe('buildkite-agent inside a job of the bundled agent, against a real server', () => {
  let on: ArtifactWorld;
  let close: () => Promise<void>;
  const builds = temporaryDirectory();

  beforeAll(async () => {
    on = await ArtifactWorld.create();
    close = await serveWorld(on);
  });
  afterAll(async () => {
    await close();
    builds.remove();
  });

  async function run(command: string, environment: NodeJS.ProcessEnv = process.env) {
    const { build, first } = await buildOf(on.world, JSON.stringify({ steps: [{ command }] }), {
      env: { BUILDKITE_SKIP_CHECKOUT: 'true' },
    });
    await startAgent({
      endpoint: `${on.world.services.baseUrl}/v3`,
      token: on.world.agentToken,
      buildPath: builds.path,
      version: '1.2.3',
      acquireJob: first.id,
      retryScale: 0.001,
      commandProgram: commandProgram(),
      environment,
    });
    const log = await logTextOf(on, first.id);
    return { build, job: await jobNow(on.world, first.id), log };
  }

  test('meta-data, annotations and artifacts of a job reach the server and come back', async () => {
    const { build, job, log } = await run(
      [
        'set -e',
        'printf "a value" | buildkite-agent meta-data set release',
        'echo "got $(buildkite-agent meta-data get release)"',
        'buildkite-agent meta-data exists nothing || echo "exists: $$?"',
        'echo "default $(buildkite-agent meta-data get nothing --default none)"',
        'buildkite-agent annotate "**Fine**" --style success --context report',
        'mkdir -p out in && printf one > out/1.txt && printf two > out/2.txt',
        'buildkite-agent artifact upload "out/*.txt"',
        'buildkite-agent artifact search "out/*" --format "%p %s\\n" | sort',
        'buildkite-agent artifact download "out/*" in',
        'cat in/out/1.txt in/out/2.txt; echo',
        'echo "sum $(buildkite-agent artifact shasum out/1.txt)"',
        'buildkite-agent artifact download "nothing" in || echo "download: $$?"',
      ].join('\n'),
    );
    expect(log).toContain('\ngot a value\n');
    expect(log).toContain('\nexists: 100\n');
    expect(log).toContain('\ndefault none\n');
    expect(log).toContain('\nout/1.txt 3\nout/2.txt 3\n');
    expect(log).toContain('\nonetwo\n');
    expect(log).toContain('\nsum fe05bcdcdc4928012781a5f1a2a77cbb5398e106\n');
    expect(log).toContain('\ndownload: 1\n');
    expect(job).toMatchObject({ state: 'finished', exitStatus: 0 });
    const { slug } = await on.world.services.db
      .selectFrom('pipelines')
      .select('slug')
      .where('id', '=', build.pipelineId)
      .executeTakeFirstOrThrow();
    const path = `/organizations/acme/pipelines/${slug}/builds/${build.number}/annotations`;
    const annotations = (await on.rest('get', path)).body as { context: string; style: string; body_html: string }[];
    expect(annotations).toMatchObject([{ context: 'report', style: 'success' }]);
    expect(annotations[0]?.body_html).toContain('<strong>Fine</strong>');
  }, 120_000);

  test('variables, redactions and locks are local to the agent, and what a job leaves locked is released', async () => {
    const { job, log } = await run(
      [
        'set -e',
        'buildkite-agent env set COLOR=blue "EMPTY="',
        'echo "color $(buildkite-agent env get COLOR)"',
        'buildkite-agent env set BUILDKITE_AGENT_ACCESS_TOKEN=x || echo "protected: $$?"',
        'buildkite-agent env unset COLOR',
        'buildkite-agent env get COLOR || echo "unset: $$?"',
        'echo open-sesame | buildkite-agent redactor add',
        'echo "the word is open-sesame"',
        'token=$(buildkite-agent lock acquire gate)',
        'buildkite-agent lock acquire gate --lock-wait-timeout 200ms || echo "held: $$?"',
        'buildkite-agent lock release gate "$$token"',
        'echo "first $(buildkite-agent lock do once)"',
        'buildkite-agent lock done once',
        'echo "second $(buildkite-agent lock do once)"',
        'buildkite-agent lock acquire forgotten',
      ].join('\n'),
    );
    expect(log).toContain('\nAdded:\n+ COLOR\n+ EMPTY\n');
    expect(log).toContain('\ncolor blue\n');
    expect(log).toContain('\nprotected: 1\n');
    expect(log).toContain('\nUnset:\n- COLOR\n');
    expect(log).toContain('\nunset: 1\n');
    expect(log).toContain('\nthe word is [REDACTED]\n');
    expect(log).toContain('\nheld: 1\n');
    expect(log).toContain('\nfirst do\n');
    expect(log).toContain('\nsecond done\n');
    expect(log).toContain('Released locks that the job still held: forgotten');
    expect(job.exitStatus).toBe(0);
  }, 120_000);

  test('an installed buildkite-agent comes before the one of the bundled agent', async () => {
    const bin = join(builds.path, 'installed');
    mkdirSync(bin);
    writeFileSync(join(bin, 'buildkite-agent'), '#!/bin/sh\necho "the installed one: $*"\n');
    chmodSync(join(bin, 'buildkite-agent'), 0o755);
    const { log } = await run('buildkite-agent meta-data get x', { PATH: `${bin}:${process.env['PATH']}` });
    expect(log).toContain('\nthe installed one: meta-data get x\n');
  });

  test("nothing of a job's private folder is left when it ends", async () => {
    const { log } = await run('echo "folder=$$(dirname $$BUILDKITE_AGENT_JOB_API_SOCKET)"');
    const [, folder] = /\nfolder=(\S+)\n/.exec(log) ?? [];
    expect(folder).toMatch(/slipway-job-/);
    expect(existsSync(folder ?? '/')).toBe(false);
  });
});
