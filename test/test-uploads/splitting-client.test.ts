import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { finishSuiteRuns } from '../../src/background/suites/finish-suite-runs.js';
import { BothSurfaces } from '../support/both-surfaces.js';
import { describeUnless } from '../support/skips.js';
import { newSuite, result, upload } from '../support/suites.js';

/**
 * The public client that splits tests, unmodified, where `BKTEC` names its program. The runner that it starts is a
 * script, so that the test needs no Ruby: it notes what it was told to run.
 */
const program = process.env['BKTEC'];
const timesByFile = { 'spec/slow_spec.rb': 9, 'spec/b_spec.rb': 4, 'spec/c_spec.rb': 3, 'spec/d_spec.rb': 1 };
const runner = `#!/bin/sh
printf '%s\n' "$@" >> "$NOTES"
results=$BUILDKITE_TEST_ENGINE_RESULT_PATH
[ -e "$results" ] && examples=$RETRIED || examples=$EXAMPLES
echo "{\\"examples\\": [$examples]}" > "$results"
case "$FAIL$examples" in 1* | *failed*) exit 1;; esac
`;

describeUnless(program ? null : 'BKTEC names no program', 'the client that splits tests', () => {
  let surfaces: BothSurfaces;
  let suite: Awaited<ReturnType<typeof newSuite>>;
  let folder: string;

  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    suite = await newSuite(surfaces, 'RSpec');
    const data = Object.entries(timesByFile).map(([file, duration]) =>
      result(file, { file_name: `./${file}`, history: { section: 'top', start_at: 0, end_at: duration, duration } }),
    );
    await upload(surfaces, suite.authorization, 'before', data, { runEnv: { branch: 'main' } });
    surfaces.world.clock.advance(60);
    await finishSuiteRuns(surfaces.world.services);
    folder = mkdtempSync(join(tmpdir(), 'splitting-'));
    for (const file of Object.keys(timesByFile)) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), '');
    }
    writeFileSync(join(folder, 'runner'), runner);
    chmodSync(join(folder, 'runner'), 0o755);
  });
  afterAll(async () => {
    await surfaces.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs the client as one of several parallel jobs; returns its exit code, what it said, and what the runner ran. */
  async function job(
    node: number,
    {
      step = 'step',
      jobs = 2,
      more = {},
      args = [],
    }: { step?: string; jobs?: number; more?: object; args?: string[] } = {},
  ) {
    const notes = join(folder, `${step}-${node}`);
    writeFileSync(notes, '');
    const env = {
      PATH: process.env['PATH'],
      NOTES: notes,
      BUILDKITE_ORGANIZATION_SLUG: 'acme',
      BUILDKITE_TEST_ENGINE_SUITE_SLUG: suite.slug,
      BUILDKITE_TEST_ENGINE_API_ACCESS_TOKEN: surfaces.world.admin.authorization.replace('Bearer ', ''),
      BUILDKITE_TEST_ENGINE_BASE_URL: surfaces.url,
      BUILDKITE_TEST_ENGINE_UPLOAD_BASE_URL: surfaces.url,
      BUILDKITE_ANALYTICS_TOKEN: suite.token,
      BUILDKITE_TEST_ENGINE_TEST_RUNNER: 'rspec',
      BUILDKITE_TEST_ENGINE_TEST_CMD: './runner {{testExamples}}',
      BUILDKITE_TEST_ENGINE_TEST_FILE_PATTERN: 'spec/**/*_spec.rb',
      BUILDKITE_TEST_ENGINE_RESULT_PATH: `${notes}.json`,
      BUILDKITE_BUILD_ID: 'build',
      BUILDKITE_STEP_ID: step,
      BUILDKITE_BRANCH: 'main',
      BUILDKITE_PARALLEL_JOB: String(node),
      BUILDKITE_PARALLEL_JOB_COUNT: String(jobs),
      ...more,
    };
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      execFile(String(program), ['run', ...args], { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      );
    });
    return {
      code,
      output,
      ran: readFileSync(notes, 'utf8')
        .split('\n')
        .filter((line) => line.endsWith('_spec.rb'))
        .map((line) => line.replace(/^\.\//, '')),
    };
  }

  async function reported(step: string) {
    const { suite: seen } = await surfaces.select([
      `query ($slug: ID!, $identifier: String!) { suite(slug: $slug) { testPlan(identifier: $identifier) { nodes { report {
        version duration testsCount failedCount passedOnRetryCount mutedFailedCount } } } } }`,
      { slug: `acme/${suite.slug}`, identifier: `build/${step}` },
    ]);
    return seen.testPlan;
  }

  test('runs each file on one of the jobs, balanced by history, and reports', async () => {
    const jobs = await Promise.all([job(0), job(1)]);
    for (const each of jobs) expect([each.code, each.output]).toEqual([0, expect.not.stringContaining('Failed to')]);
    expect(jobs.map(({ ran }) => ran.sort())).toEqual([
      ['spec/slow_spec.rb'],
      ['spec/b_spec.rb', 'spec/c_spec.rb', 'spec/d_spec.rb'],
    ]);
    for (const { report } of (await reported('step')).nodes) expect(report.duration).toBeGreaterThanOrEqual(0);
    expect((await job(1)).ran.sort()).toEqual(['spec/b_spec.rb', 'spec/c_spec.rb', 'spec/d_spec.rb']);
  });

  test('ends with the exit code of the runner, and a job more than there are files runs nothing', async () => {
    expect((await job(0, { step: 'red', more: { FAIL: '1' } })).code).not.toBe(0);
    const jobs = await Promise.all([0, 1, 2, 3, 4].map((node) => job(node, { step: 'wide', jobs: 5 })));
    expect(jobs.map(({ ran }) => ran.length)).toEqual([1, 1, 1, 1, 0]);
  });

  test('runs the files that a manual selection names, and no others', async () => {
    const more = {
      // Clients before selection was released for all.
      BKTEC_PREVIEW_SELECTION: '1',
      BUILDKITE_TEST_ENGINE_COLLECT_GIT_METADATA: 'false',
      BUILDKITE_TEST_ENGINE_SELECTION_STRATEGY: 'manual',
    };
    const args = ['--selection-param', 'selectors=spec/d_spec.rb\nspec/b_spec.rb\n'];
    const jobs = await Promise.all([0, 1].map((node) => job(node, { step: 'selected', more, args })));
    expect(jobs.map(({ code, ran }) => [code, ran])).toEqual([
      [0, ['spec/b_spec.rb']],
      [0, ['spec/d_spec.rb']],
    ]);
  });

  const example = (file: string, status: string) =>
    JSON.stringify({ id: `./${file}[1:1]`, description: file, full_description: `a scope ${file}`, status });

  test('retries what failed, and passes where it passes then', async () => {
    const more = {
      EXAMPLES: example('spec/slow_spec.rb', 'failed'),
      RETRIED: example('spec/slow_spec.rb', 'passed'),
      BUILDKITE_TEST_ENGINE_RETRY_COUNT: '1',
      BUILDKITE_TEST_ENGINE_RETRY_CMD: './runner {{testExamples}}',
    };
    expect((await job(0, { step: 'retried', more })).code).toBe(0);
    expect((await job(0, { step: 'not retried', more: { EXAMPLES: more.EXAMPLES } })).code).not.toBe(0);
    const { nodes } = await reported('retried');
    expect(nodes[0].report).toMatchObject({ testsCount: 1, failedCount: 0, passedOnRetryCount: 1 });
  });

  test('passes where only a muted test fails', async () => {
    const test = { scope: 'a scope', name: 'spec/slow_spec.rb' };
    const { id } = await surfaces.read(['post', `${suite.path}/tests/find`, test]);
    await surfaces.read(['put', `${suite.path}/tests/${id}/mute`]);
    const more = { EXAMPLES: example(test.name, 'failed') };
    expect((await job(0, { step: 'muted', more })).code).toBe(0);
    const { nodes } = await reported('muted');
    expect(nodes[0].report).toMatchObject({ testsCount: 1, failedCount: 0, mutedFailedCount: 1 });
    const both = { EXAMPLES: `${more.EXAMPLES}, ${example('spec/b_spec.rb', 'failed')}` };
    expect((await job(0, { step: 'muted and red', more: both })).code).not.toBe(0);
  });

  test('says what is wrong and does not run everything where its token may not', async () => {
    const refused = await job(0, {
      step: 'refused',
      more: { BUILDKITE_TEST_ENGINE_API_ACCESS_TOKEN: 'wrong' },
    });
    expect(refused.code).not.toBe(0);
    expect(refused.ran).toEqual([]);
  });
});
