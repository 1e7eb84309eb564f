import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/server/config.js';
import { createProgram } from '../../src/commands/program.js';
import { temporaryDirectory } from '../support/directory.js';
import { describeUnless } from '../support/skips.js';

const folder = 'deploy/systemd';
const units = readdirSync(folder).filter((name) => /\.(service|socket)$/.test(name));
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const installed = spawnSync('systemd-analyze', ['--version']).status === 0;

describeUnless(installed ? null : 'systemd-analyze is not installed', 'the units of deploy/systemd', () => {
  const directory = temporaryDirectory();
  afterAll(() => directory.remove());

  test('are found correct by systemd-analyze verify', () => {
    // It looks whether the program is there.
    const files = units.map((name) => {
      writeFileSync(join(directory.path, name), textOf(name).replaceAll('/usr/local/bin/slipway', process.execPath));
      return join(directory.path, name);
    });
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${directory.path}:` },
    });
    const own = `${stdout}${stderr}`.split('\n').filter((line) => units.some((name) => line.includes(name)));
    expect({ status, own }).toEqual({ status: 0, own: [] });
  });
});

test.each(units.filter((name) => name.endsWith('.service')))('%s starts a command that there is', (name) => {
  const [, line = ''] = /^ExecStart=\S+ (.*)$/m.exec(textOf(name)) ?? [];
  let command = createProgram();
  let words = line.split(' ');
  for (;;) {
    const inner = command.commands.find((each) => each.name() === words[0]);
    if (!inner) break;
    [command, words] = [inner, words.slice(1)];
  }
  expect([command.name(), command.parseOptions(words)]).toMatchObject([
    expect.stringMatching(/^(serve|start)$/),
    { operands: [], unknown: [] },
  ]);
});

test('slipway.service sets variables that there are', () => {
  const [, line = ''] = /^Environment=(.*)$/m.exec(textOf('slipway.service')) ?? [];
  const variables = Object.fromEntries(line.split(' ').map((pair) => pair.split('=')));
  expect(readConfig(variables as Record<string, string>)).toMatchObject({ dataDir: '/var/lib/slipway', warnings: [] });
});
