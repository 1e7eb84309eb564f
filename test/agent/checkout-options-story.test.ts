import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentOnFake } from '../support/agent-on-fake.js';
import { GitRepository } from '../support/git-repository.js';

describe('a checkout with options', () => {
  let on: AgentOnFake;
  let repository: GitRepository;
  const source = (env: Record<string, string> = {}) => ({
    BUILDKITE_REPO: `file://${repository.path}`,
    BUILDKITE_SKIP_CHECKOUT: '',
    BUILDKITE_COMMIT_RESOLVED: 'true',
    ...env,
  });

  beforeEach(async () => {
    on = await AgentOnFake.open();
    repository = new GitRepository();
    for (const number of [1, 2, 3]) repository.commit({ 'a/file': `${number}`, 'b/file': 'b', top: 't' });
  });
  afterEach(async () => {
    await on.dispose();
    repository.remove();
  });

  test('a step with a depth has that many commits', async () => {
    const step = { checkout: { depth: 2 } };
    const job = await on.run(on.plane.addJob('git rev-list --count HEAD', source(), { step }));
    expect(on.plane.logText(job)).toMatch(/\n2\n$/);
  });

  test('a sparse checkout has its folders only, and the next job without one has everything again', async () => {
    const { exit, stop } = on.start();
    const sparse = on.plane.addJob('ls -d */', source(), { step: { checkout: { sparse: { paths: ['b'] } } } });
    await on.plane.until(() => sparse.finish !== undefined);
    const whole = on.plane.addJob('ls -d */', source());
    await on.plane.until(() => whole.finish !== undefined);
    stop.abort();
    await exit;
    expect(on.plane.logText(sparse)).toMatch(/\nb\/\n$/);
    expect(on.plane.logText(whole)).toMatch(/\na\/\nb\/\n$/);
  });

  test('submodules are checked out unless the step leaves them out', async () => {
    const inner = mkdtempSync(join(tmpdir(), 'agent-bare-'));
    repository.git('clone', '-q', '--bare', repository.path, inner);
    repository.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'module');
    repository.commit({}, 'With a module');
    const env = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'protocol.file.allow', GIT_CONFIG_VALUE_0: 'always' };
    const withModules = await on.run(on.plane.addJob('ls module | wc -l', source(env)));
    const without = await on.run(
      on.plane.addJob('ls module | wc -l', source(env), { step: { checkout: { submodules: false } } }),
    );
    rmSync(inner, { recursive: true });
    expect(on.plane.logText(withModules)).toMatch(/\n\s*3\n$/);
    expect(on.plane.logText(without)).toMatch(/\n\s*0\n$/);
  });

  test("the agent's own flags are used", async () => {
    const job = await on.run(on.plane.addJob('true', source()), {
      jobDefaults: { BUILDKITE_GIT_CLONE_FLAGS: "-v --origin 'origin'" },
    });
    expect(on.plane.logText(job)).toContain('$ git clone -v --origin origin --no-checkout');
  });

  test('what the agent does not do is named in the log, and the job runs', async () => {
    const step = { checkout: { ssh_secret: 'KEY', lfs: true } };
    const job = await on.run(on.plane.addJob('true', source(), { step }));
    expect(on.plane.logText(job)).toContain("does not do this of the step's checkout: ssh_secret, lfs\n");
    expect(job.finish).toMatchObject({ exit_status: '0' });
  });
});
