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
});
