import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { installJobProgram } from '../../src/agent/job/job-program.js';
import { FakeControlPlane } from '../support/fake-control-plane.js';
import { builtProgram } from '../support/program.js';

describe('the buildkite-agent of jobs', () => {
  let agentFile: string;
  let folder: string;
  beforeAll(() => {
    agentFile = join(dirname(builtProgram()), 'agent-bundle', 'slipway-agent.mjs');
  }, 120_000);
  let plane: FakeControlPlane;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'job program of '));
    plane = await FakeControlPlane.start();
  });
  afterEach(async () => {
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const install = (parts: object = {}) =>
    installJobProgram(folder, {
      commandProgram: ['/nowhere/node', '--no-warnings', "/nowhere/*/it's.js"],
      agentFile,
      endpoint: plane.endpoint,
      ...parts,
    });
  /**
   * Runs the one file that a plugin mounts, with the variables that plugins pass on, where `programs` are installed.
   */
  const inContainer = async (bin: string, programs: string[], ...args: string[]) => {
    const container = join(folder, 'container');
    mkdirSync(container);
    copyFileSync(join(bin, 'buildkite-agent'), join(container, 'buildkite-agent'));
    for (const program of programs) symlinkSync(process.execPath, join(container, program));
    const job = plane.addJob('true');
    job.state = 'running';
    const env = {
      PATH: container,
      BUILDKITE_JOB_ID: job.id,
      BUILDKITE_BUILD_ID: 'b',
      BUILDKITE_AGENT_ACCESS_TOKEN: job.token,
    };
    return promisify(execFile)(join(container, 'buildkite-agent'), args, { env }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  };

  test('mounted alone into a container with Node it reaches the server, whose address it brings', async () => {
    const end = await inContainer(await install(), ['node'], 'meta-data', 'set', 'release', '1.2.3');
    expect(end).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(plane.metaData.get('release')).toBe('1.2.3');
  });

  test('in a container without Node it says what it needs', async () => {
    expect(await inContainer(await install(), [], 'meta-data', 'get', 'release')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^buildkite-agent: .* needs Node\.js 20\.19, 22\.12 or newer in this container\. .*mount-buildkite-agent/,
      ),
    });
  });

  test('where the one file was not built it says that it works on the machine of the agent only', async () => {
    const bin = await install({ agentFile: join(folder, 'none') });
    expect(await inContainer(bin, ['node'], 'meta-data', 'get', 'release')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('works on the machine of its agent only'),
    });
  });

  test('on the machine of the agent it is the program installed there', async () => {
    const script = join(folder, "it's.js");
    writeFileSync(script, 'console.log(process.argv.slice(2).join())');
    const bin = await install({ commandProgram: [process.execPath, script] });
    expect((await promisify(execFile)(join(bin, 'buildkite-agent'), ['a b', 'c'], { env: {} })).stdout).toBe('a b,c\n');
  });

  test('it is written once for all jobs, again when it is gone, and removed when no job used it for a week', async () => {
    const [first, second] = [await install(), await install()];
    expect(second).toBe(first);
    expect(readdirSync(first)).toEqual(['buildkite-agent']);
    rmSync(first, { recursive: true });
    expect(existsSync(join(await install(), 'buildkite-agent'))).toBe(true);
    const eightDaysAgo = new Date(Date.now() - 8 * 24 * 60 * 60_000);
    utimesSync(join(first, 'buildkite-agent'), eightDaysAgo, eightDaysAgo);
    const other = await install({ endpoint: 'http://other.example/v3' });
    expect(readdirSync(join(folder, '.bin'))).toEqual([other.slice(other.lastIndexOf('/') + 1)]);
  });
});
