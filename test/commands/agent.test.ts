import { join } from 'node:path';

import { temporaryDirectory } from '../support/database.js';
import { FakeControlPlane } from '../support/fake-control-plane.js';
import { GitRepository, writeFiles } from '../support/git-repository.js';
import { Program } from '../support/program.js';

describe('slipway agent start', () => {
  const folder = temporaryDirectory();
  const repository = new GitRepository();
  let plane: FakeControlPlane;
  beforeAll(async () => {
    plane = await FakeControlPlane.start();
    repository.commit({ file: 'x' });
  });
  afterAll(async () => {
    await plane.stop();
    folder.remove();
    repository.remove();
  });

  test('its options reach the job: hooks, plugins, git flags, and a buildkite-agent of its own', async () => {
    writeFiles(folder.path, { 'hooks/pre-command': 'echo "hook in $BUILDKITE_HOOKS_PATH"' });
    const job = plane.addJob('buildkite-agent --version; echo "$BUILDKITE_PLUGINS_ENABLED $BUILDKITE_GIT_SUBMODULES"', {
      BUILDKITE_REPO: repository.path,
      BUILDKITE_SKIP_CHECKOUT: '',
    });
    const { code } = await Program.run(
      [
        ...['agent', 'start', '--endpoint', plane.endpoint, '--token', plane.registrationToken],
        ...['--build-path', join(folder.path, 'builds'), '--hooks-path', join(folder.path, 'hooks')],
        ...['--no-plugins', '--no-git-submodules', '--git-clone-flags', '-v --no-tags', '--disconnect-after-job'],
      ],
      {},
    );
    expect(code).toBe(0);
    const text = plane.logText(job);
    expect(text).toContain(`\nhook in ${join(folder.path, 'hooks')}\n`);
    expect(text).toContain('\n$ git clone -v --no-tags --no-checkout');
    expect(text).toMatch(/\nbuildkite-agent version \S+, of the bundled agent of Slipway\nfalse false\n$/);
    expect(job.finish).toMatchObject({ exit_status: '0' });
    expect(plane.callsTo('POST', /register/)[0]?.json['features']).toContain('no-plugins');
  });

  test('keys of slipway tool keygen start an agent that signs and verifies; a file without keys is wrong usage', async () => {
    const [own, public_] = [join(folder.path, 'private.json'), join(folder.path, 'public.json')];
    const files = ['--private-jwks-file', own, '--public-jwks-file', public_];
    const made = await Program.run(['tool', 'keygen', '--key-id', 'ci', ...files], {});
    expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('key ci\n')]);
    const again = await Program.run(['tool', 'keygen', '--key-id', 'ci', ...files], {});
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
    const start = ['agent', 'start', '--endpoint', plane.endpoint, '--token', plane.registrationToken];
    const job = plane.addJob('echo "signs with $BUILDKITE_AGENT_JWKS_FILE"');
    const keys = ['--signing-jwks-file', own, '--verification-jwks-file', public_];
    const run = await Program.run(
      [...start, ...keys, '--verification-failure-behavior', 'warn', '--disconnect-after-job'],
      {},
    );
    expect(run.code).toBe(0);
    expect(plane.logText(job)).toContain('This step is not signed.');
    expect(plane.logText(job)).toContain(`\nsigns with ${own}\n`);
    const wrong = await Program.run([...start, '--verification-jwks-file', join(folder.path, 'absent.json')], {});
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/absent\.json cannot be read/)]);
  });
});
