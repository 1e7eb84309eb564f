import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitRepository, writeFiles } from '../support/git-repository.js';
import { Program } from '../support/program.js';

/** Starts of whole processes with an empty database, on a machine that may be busy. */
const patience = 120_000;

const pipeline = `
steps:
  - label: Prepare
    key: prepare
    command: cp word.txt prepared.txt
    artifact_paths: prepared.txt
    agents: { queue: machines-of-the-team }
  - wait
  - label: Test
    key: test
    command:
      - buildkite-agent artifact download prepared.txt .
      - echo "the word is $$(cat prepared.txt) in build $BUILDKITE_BUILD_NUMBER"
      - exit \${CODE:-0}
  - label: Publish
    depends_on: test
    command: test -f ignored.txt || echo published
`;

describe('slipway run', () => {
  const repository = new GitRepository();
  const temporary = mkdtempSync(join(tmpdir(), 'slipway-test-'));
  repository.commit({
    '.buildkite/pipeline.yml': pipeline,
    '.buildkite/long.yml': 'steps: [{ label: Long, command: "echo pid:$$$$; sleep 300" }, { command: echo later }]',
    '.buildkite/secrets.yml':
      'steps: [{ command: "echo it is $$(buildkite-agent secret get TOKEN)/$$OTHER", secrets: [OTHER] }]',
    '.gitignore': 'ignored.txt\n',
    'word.txt': 'committed',
  });
  writeFiles(repository.path, { 'word.txt': 'uncommitted', 'ignored.txt': '' });
  afterAll(() => {
    repository.remove();
    rmSync(temporary, { recursive: true, force: true });
  });

  const run = (...args: string[]) => Program.start(['run', ...args], { TMPDIR: temporary }, [], repository.path);

  test(
    'a secret has its value from the command line or from a variable, and shows it to no log',
    async () => {
      const args = ['run', '--pipeline', '.buildkite/secrets.yml', '--secret', 'TOKEN', '--secret', 'OTHER=given-here'];
      const variables = { TMPDIR: temporary, TOKEN: 'from-there' };
      const { code, stdout } = await Program.start(args, variables, [], repository.path).ended;
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('\nit is [REDACTED]/[REDACTED]\n') });
      expect(stdout).not.toMatch(/from-there|given-here/);
      const missing = await Program.start(['run', '--secret', 'NOT_SET'], { TMPDIR: temporary }, [], repository.path)
        .ended;
      expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('The secret NOT_SET has no value') });
    },
    patience,
  );

  test(
    'a build of three steps sees the uncommitted change, passes in their order and leaves nothing behind',
    async () => {
      const index = readFileSync(join(repository.path, '.git', 'index'));
      const { code, stdout, stderr } = await run().ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Building agent-repo-\w+ \(main at [0-9a-f]{7} with 1 changed file\)/);
      expect(stdout).toContain('\nthe word is uncommitted in build 1\n');
      expect(stdout).toContain('\npublished\n');
      const headings = stdout.match(/^[▶✔] \w+( passed)?/gm);
      expect(headings).toEqual([
        '▶ Prepare',
        '✔ Prepare passed',
        '▶ Test',
        '✔ Test passed',
        '▶ Publish',
        '✔ Publish passed',
      ]);
      expect(stdout).toMatch(/\nBuild passed \(3 passed, [^)]+\)\n$/);

      expect(stdout).not.toMatch(/\x1b/);
      expect(readdirSync(temporary)).toEqual([]);
      expect(readFileSync(join(repository.path, '.git', 'index'))).toEqual(index);
      expect(repository.git('status', '--porcelain')).toBe('M word.txt');
    },
    patience,
  );

  test(
    'a failing step ends the program with its exit status, and --step runs the steps before it but none after it',
    async () => {
      const { code, stdout } = await run('--step', 'test', '--env', 'CODE=7').ended;
      expect(code).toBe(7);
      expect(stdout).toContain('✔ Prepare passed');
      expect(stdout).toContain('✖ Test failed with exit status 7');
      expect(stdout).not.toContain('Publish');
    },
    patience,
  );

  test(
    'SIGINT cancels the build, ends the processes of its job and leaves nothing behind',
    async () => {
      const program = run('--pipeline', '.buildkite/long.yml');
      const [, pid] = await program.until(/^pid:(\d+)$/m);
      const { code, stdout } = await program.stop('SIGINT');
      expect(code).toBe(130);
      expect(stdout).toMatch(/\n✖ Long canceled[^]*\nBuild canceled \(2 canceled, /);
      expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH');
      expect(readdirSync(temporary)).toEqual([]);
    },
    patience,
  );
});
