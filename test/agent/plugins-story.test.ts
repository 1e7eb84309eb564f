import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AgentOnFake } from '../support/agent-on-fake.js';
import { GitRepository, writeFiles } from '../support/git-repository.js';

describe('plugins of a job', () => {
  let on: AgentOnFake;
  let plugin: GitRepository;
  let pluginsPath: string;
  const plugins = (...list: unknown[]) => ({ BUILDKITE_PLUGINS: JSON.stringify(list) });

  beforeEach(async () => {
    on = await AgentOnFake.open();
    pluginsPath = join(on.buildPath, 'plugins');
    plugin = new GitRepository();
    plugin.commit({ 'hooks/pre-command': 'echo "first: $BUILDKITE_PLUGIN_GIT_WORD, $BUILDKITE_PLUGIN_NAME"' });
    plugin.git('tag', 'v1');
    plugin.commit({ 'hooks/pre-command': 'echo "second: $BUILDKITE_PLUGIN_GIT_WORD"; export FROM_PLUGIN=yes' });
    plugin.git('branch', 'next');
  });
  afterEach(async () => {
    await on.dispose();
    plugin.remove();
  });

  test.each([
    ['tag', '#v1', 'first: hello, GIT'],
    ['branch', '#next', 'second: hello'],
    ['default branch', '', 'second: hello'],
  ])('a plugin is checked out at its %s, and its configuration is for its hooks alone', async (_, version, line) => {
    const env = plugins({ [`file://${plugin.path}/.git${version}`]: { word: 'hello' } });
    const job = await on.run(on.plane.addJob('echo "word ${BUILDKITE_PLUGIN_GIT_WORD-none}"', env), { pluginsPath });
    const text = on.plane.logText(job);
    expect(text).toContain('~~~ Preparing plugins');
    expect(text).toContain(`\n${line}\n`);
    expect(text).toContain('\nword none\n');
    expect(job.finish).toMatchObject({ exit_status: '0' });
  });

  test('two jobs at the same time and one after them share one clone', async () => {
    const env = plugins(`file://${plugin.path}/.git#v1`);
    const jobs = [on.plane.addJob('true', env), on.plane.addJob('true', env)];
    const { exit, stop } = on.start({ spawn: 2, pluginsPath });
    await on.plane.until(() => jobs.every((job) => job.finish !== undefined));
    const last = on.plane.addJob('true', env);
    await on.plane.until(() => last.finish !== undefined);
    stop.abort();
    await exit;
    const texts = [...jobs, last].map((job) => on.plane.logText(job));
    expect(texts.filter((text) => text.includes('$ git clone'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('is checked out already'))).toHaveLength(2);
    expect(readdirSync(pluginsPath)).toHaveLength(1);
  });

  test('a plugin in a folder of this machine, and one in the repository, are used where they are', async () => {
    const local = join(on.buildPath, 'local');
    writeFiles(local, { 'hooks/environment': 'export COLOR="$BUILDKITE_PLUGIN_LOCAL_COLOR"' });
    const repository = new GitRepository();
    repository.commit({ '.buildkite/plugins/mine/hooks/command': 'echo "command in $COLOR"' });
    const job = await on.run(
      on.plane.addJob('', {
        BUILDKITE_REPO: repository.path,
        BUILDKITE_SKIP_CHECKOUT: '',
        ...plugins({ [local]: { color: 'blue' } }, './.buildkite/plugins/mine'),
      }),
      { pluginsPath },
    );
    repository.remove();
    expect(on.plane.logText(job)).toContain('\ncommand in blue\n');
    expect(existsSync(pluginsPath)).toBe(false);
  });

  test.each([
    ['does not exist', () => ['file:///no/such/plugin.git#v1'], 'git clone exited with status 128', '128'],
    ['has no such version', () => [`file://${plugin.path}/.git#v9`], 'git checkout exited with status 1', '1'],
    ['has no hooks', () => [`file://${plugin.path}/.git/inner`], 'has no folder', '1'],
    ['is not in the repository', () => ['./nowhere'], 'has no folder', '1'],
    ['is outside the repository', () => ['./../../x'], 'is outside the repository', '1'],
    ['is not readable', () => [7], '7 is not the name of a plugin', '1'],
  ])(
    'a plugin that %s fails the job before its command, and leaves nothing half done',
    async (_, list, message, status) => {
      const job = await on.run(on.plane.addJob('echo ran', plugins(...list())), { pluginsPath });
      expect(job.finish).toMatchObject({ exit_status: status });
      expect(on.plane.logText(job)).toContain(message);
      expect(on.plane.logText(job)).not.toContain('Running commands');
      const left = existsSync(pluginsPath) ? readdirSync(pluginsPath) : [];
      expect(left.filter((name) => name.startsWith('.'))).toEqual([]);
    },
  );

  test('an agent without plugins fails the job and says so, to the server too', async () => {
    const job = await on.run(on.plane.addJob('echo ran', plugins('docker#v5')), { pluginsEnabled: false });
    expect(job.finish).toMatchObject({ exit_status: '1' });
    expect(on.plane.logText(job)).toContain('this agent does not run plugins');
    expect(on.plane.callsTo('POST', /register/)[0]?.json['features']).toContain('no-plugins');
  });

  test('of two plugins with a command hook the first runs, and the other is named', async () => {
    for (const name of ['a', 'b'])
      writeFiles(join(on.buildPath, name), { 'hooks/command': `echo "command of ${name}"` });
    const job = await on.run(on.plane.addJob('', plugins(join(on.buildPath, 'a'), join(on.buildPath, 'b'))));
    expect(on.plane.logText(job)).toContain('\ncommand of a\n');
    expect(on.plane.logText(job)).not.toContain('\ncommand of b\n');
    expect(on.plane.logText(job)).toContain('The command hook of plugin b does not run: plugin a has one');
  });
});
