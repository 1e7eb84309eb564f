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
[ "$FAIL" != 1 ]
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
    { step = 'step', jobs = 2, more = {} }: { step?: string; jobs?: number; more?: object } = {},
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
      BUILDKITE_TEST_ENGINE_TEST_RUNNER: 'rspec',
      BUILDKITE_TEST_ENGINE_TEST_CMD: './runner {{testExamples}}',
      BUILDKITE_TEST_ENGINE_TEST_FILE_PATTERN: 'spec/**/*_spec.rb',
      BUILDKITE_TEST_ENGINE_RESULT_PATH: join(folder, 'result.json'),
      BUILDKITE_BUILD_ID: 'build',
      BUILDKITE_STEP_ID: step,
      BUILDKITE_BRANCH: 'main',
      BUILDKITE_PARALLEL_JOB: String(node),
      BUILDKITE_PARALLEL_JOB_COUNT: String(jobs),
      ...more,
    };
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      execFile(String(program), [], { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) =>
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

  test('runs each file on one of the jobs, balanced by history, and reports', async () => {
    const jobs = await Promise.all([job(0), job(1)]);
    for (const each of jobs) expect([each.code, each.output]).toEqual([0, expect.not.stringContaining('Failed to')]);
    expect(jobs.map(({ ran }) => ran.sort())).toEqual([
      ['spec/slow_spec.rb'],
      ['spec/b_spec.rb', 'spec/c_spec.rb', 'spec/d_spec.rb'],
    ]);
    const { suite: seen } = await surfaces.select([
      `query ($slug: ID!) { suite(slug: $slug) { testPlan(identifier: "build/step") { nodes { report { version duration } } } } }`,
      { slug: `acme/${suite.slug}` },
    ]);
    for (const { report } of seen.testPlan.nodes) expect(report.duration).toBeGreaterThanOrEqual(0);
    expect((await job(1)).ran.sort()).toEqual(['spec/b_spec.rb', 'spec/c_spec.rb', 'spec/d_spec.rb']);
  });

  test('ends with the exit code of the runner, and a job more than there are files runs nothing', async () => {
    expect((await job(0, { step: 'red', more: { FAIL: '1' } })).code).not.toBe(0);
    const jobs = await Promise.all([0, 1, 2, 3, 4].map((node) => job(node, { step: 'wide', jobs: 5 })));
    expect(jobs.map(({ ran }) => ran.length)).toEqual([1, 1, 1, 1, 0]);
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
