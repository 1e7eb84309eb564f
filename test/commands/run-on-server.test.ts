import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtifactWorld } from '../support/artifact-world.js';
import { GitRepository, writeFiles } from '../support/git-repository.js';
import { Program } from '../support/program.js';
import { serveWorld } from '../support/served-world.js';

/** Starts of whole processes, on a machine that may be busy. */
const patience = 120_000;

const pipeline = `
agents: { queue: machines-of-the-team, os: linux }
steps:
  - label: Prepare
    key: prepare
    command: cp word.txt prepared.txt
    artifact_paths: prepared.txt
    agents: { queue: others, arch: arm64 }
  - wait
  - label: Test
    command:
      - buildkite-agent artifact download prepared.txt .
      - echo "the word is $$(cat prepared.txt)"
      - exit \${CODE:-0}
    parallelism: 2
  - trigger: deploy
`;

describe('slipway run on a running server', () => {
  const repository = new GitRepository();
  const temporary = mkdtempSync(join(tmpdir(), 'slipway-test-'));
  let on: ArtifactWorld;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    on = await ArtifactWorld.create();
    stop = await serveWorld(on);
    repository.commit({
      '.buildkite/pipeline.yml': pipeline,
      '.buildkite/long.yml': 'steps: [{ label: Long, command: "echo pid:$$$$; sleep 300" }]',
      'word.txt': 'committed',
    });
    writeFiles(repository.path, { 'word.txt': 'uncommitted' });
  });
  afterAll(async () => {
    await stop();
    repository.remove();
    rmSync(temporary, { recursive: true, force: true });
  });

  const run = (...args: string[]) => runAs(on.world.admin.authorization, ...args);
  const runAs = (authorization: string, ...args: string[]) =>
    Program.start(
      ['run', '--endpoint', on.world.services.baseUrl, '--organization', 'acme', ...args],
      { TMPDIR: temporary, SLIPWAY_API_TOKEN: authorization.replace('Bearer ', '') },
      [],
      repository.path,
    );
  const db = () => on.world.services.db;

  test(
    'the build stands on the server, its jobs run here, and its end is that of the program',
    async () => {
      const { code, stdout, stderr } = await run('--pipeline-slug', 'mine', '--jobs', '2').ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`${on.world.services.baseUrl}/acme/mine/builds/1\n`);
      expect(stdout).toContain('Test 1/2 │ the word is uncommitted\n');
      expect(stdout).toContain('Test 2/2 │ the word is uncommitted\n');
      expect(stdout).toMatch(/\nBuild passed \(3 passed, 1 not run, [^)]+\)\n$/);
      const build = await db()
        .selectFrom('builds as b')
        .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
        .select(['b.state', 'b.branch', 'b.message', 'p.tags'])
        .where('p.slug', '=', 'mine')
        .executeTakeFirstOrThrow();
      expect(build).toMatchObject({ state: 'passed', branch: 'main', tags: ['slipway-run'] });
      expect(build.message).toContain('(with uncommitted changes)');
      const jobs = await db()
        .selectFrom('jobs as j')
        .innerJoin('pipelines as p', 'p.id', 'j.pipelineId')
        .select('agentQueryRules')
        .where('p.slug', '=', 'mine')
        .where('j.type', '=', 'command')
        .orderBy('j.position')
        .execute();
      expect(jobs.map(({ agentQueryRules }) => agentQueryRules)).toEqual([
        ['arch=arm64', expect.stringMatching(/^queue=run-/)],
        ['os=linux', expect.stringMatching(/^queue=run-/)],
        ['os=linux', expect.stringMatching(/^queue=run-/)],
      ]);
      // The queue and the token of this machine are gone.
      const queues = await db().selectFrom('cluster_queues').select('key').execute();
      expect(queues.map(({ key }) => key).sort()).toEqual(['default', 'macos']);
      const tokens = await db().selectFrom('agent_tokens').select('id').where('revokedAt', 'is', null).execute();
      expect(tokens).toHaveLength(1);
      expect(readdirSync(temporary)).toEqual([]);
    },
    patience,
  );

  test(
    'a failing job ends the program with its exit status',
    async () => {
      const { code, stdout } = await run('--pipeline-slug', 'mine', '--env', 'CODE=7').ended;
      expect(code).toBe(7);
      expect(stdout).toContain('✖ Test 1/2 failed with exit status 7');
    },
    patience,
  );

  test(
    'SIGINT cancels the build on the server and ends the processes of its job',
    async () => {
      const program = run('--pipeline', '.buildkite/long.yml');
      const [, pid] = await program.until(/^pid:(\d+)$/m);
      const { code, stdout } = await program.stop('SIGINT');
      expect(code).toBe(130);
      expect(stdout).toMatch(/\nBuild canceled \(1 canceled, /);
      expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
      const states = await db().selectFrom('builds').select('state').where('message', 'like', '%').execute();
      expect(states.map(({ state }) => state)).toContain('canceled');
    },
    patience,
  );

  test(
    'what the server refuses is said in words',
    async () => {
      const { admin, outsider } = on.world;
      await on.world.pipeline('steps: []', { slug: 'app', name: 'app' });
      const limited = await on.world.personWithToken(admin.id, admin.email, {
        scopes: ['read_pipelines', 'read_builds', 'read_clusters'],
      });
      const refusals = await Promise.all([
        runAs('Bearer nonsense').ended,
        runAs(limited.authorization).ended,
        runAs(admin.authorization, '--pipeline-slug', 'app').ended,
        runAs(outsider.authorization).ended,
      ]);
      expect(refusals.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
      expect(refusals.map(({ stderr }) => stderr.trim())).toEqual([
        'error: the server does not know the API token',
        'error: the API token does not have the scopes write_pipelines, write_builds, read_build_logs, write_clusters',
        'error: the pipeline app is not one of slipway run, which would replace its steps: name another, or tag it "slipway-run"',
        'error: the organization acme does not exist, or the API token does not see it',
      ]);
    },
    patience,
  );

  test(
    'options that name half a server are wrong usage',
    async () => {
      const wrong = (...args: string[]) => Program.start(['run', ...args], {}, [], repository.path).ended;
      const ends = await Promise.all([
        wrong('--endpoint', 'http://127.0.0.1:1'),
        wrong('--endpoint', 'nowhere', '--token', 't', '--organization', 'o'),
        wrong('--endpoint', 'http://127.0.0.1:1', '--token', 't'),
        wrong('--organization', 'o'),
      ]);
      expect(ends.map(({ code }) => code)).toEqual([2, 2, 2, 2]);
      const messages = [
        'needs --token',
        'not an http(s) URL',
        'needs --organization',
        '--organization needs --endpoint',
      ];
      ends.forEach(({ stderr }, index) => expect(stderr).toContain(messages[index]));
    },
    patience,
  );
});
