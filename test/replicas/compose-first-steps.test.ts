import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeOnPostgres, temporaryDirectory } from '../support/database.js';
import { builtProgram, Program } from '../support/program.js';
import { ownDatabase } from './evidence.js';
import { testPort } from '../support/test-port.js';

describeOnPostgres('the first steps of compose.yaml', () => {
  const directory = temporaryDirectory();
  let own: Awaited<ReturnType<typeof ownDatabase>>;
  let programs: Program[] = [];
  beforeAll(async () => {
    own = await ownDatabase(process.env['TEST_DATABASE_URL'] ?? '', `slipway_compose_${process.pid}_${Date.now()}`);
  });
  afterAll(async () => {
    for (const program of programs) await program.stop('SIGKILL');
    await own.drop();
    directory.remove();
  });

  test('an agent passes a build, and an address signs the administrator in once; a second time no other build is made', async () => {
    const url = `http://127.0.0.1:${await testPort()}`;
    const env = {
      DATABASE_URL: own.url,
      SECRET_KEY: 'k'.repeat(40),
      DATA_DIR: join(directory.path, 'data'),
      BASE_URL: url,
      PORT: new URL(url).port,
      ADMIN_EMAIL: 'ada@example.com',
      ADMIN_PASSWORD: 'a-password-of-the-test',
      AGENT_TOKEN: 'an-agent-token-of-the-test',
    };
    const server = Program.start(['serve', '--apply', 'examples/slipway.yaml'], env);
    programs = [server];
    await server.until(/"msg":"listening"/);
    const agent = ['agent', 'start', '--endpoint', `${url}/v3`, '--token', env.AGENT_TOKEN, '--queue', 'default'];
    programs.push(Program.start([...agent, '--build-path', join(directory.path, 'builds')], {}));

    // The program as it is in the image's path.
    const slipway = join(directory.path, 'slipway');
    writeFileSync(slipway, `#!/bin/sh\nexec "${process.execPath}" --no-warnings "${builtProgram()}" "$@"\n`);
    chmodSync(slipway, 0o755);
    const { PATH = '' } = process.env;
    const firstSteps = async () => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [resolve('deploy/compose/first-steps.mjs'), url, 'acme'],
        { env: { PATH, ...env, SLIPWAY: slipway }, timeout: 120_000 },
      );
      const [, address = ''] = /^Sign in as ada@example\.com, once and within five minutes: (\S+)$/m.exec(stdout) ?? [];
      expect(stdout).toMatch(/^Build 1 of the pipeline Hello passed: http/);
      return address;
    };
    for (let time = 0; time < 2; time += 1) {
      const address = await firstSteps();
      const open = async () =>
        (await fetch(address, { redirect: 'manual', headers: { 'X-Forwarded-For': '198.51.100.7' } })).status;
      expect([await open(), await open()]).toEqual([303, 410]);
    }
  }, 180_000);
});
