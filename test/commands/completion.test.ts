import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bashCompletion } from '../../src/commands/completion/bash.js';
import { describeCommands } from '../../src/commands/completion/command-tree.js';
import { fishCompletion } from '../../src/commands/completion/fish.js';
import { zshCompletion } from '../../src/commands/completion/zsh.js';
import { createProgram } from '../../src/commands/program.js';
import { temporaryDirectory } from '../support/directory.js';
import { testUnless } from '../support/skips.js';

const commands = describeCommands(createProgram());
const missing = (shell: string) => (spawnSync(shell, ['-c', 'true']).status === 0 ? null : `${shell} is not installed`);

/** What bash offers at the end of a command line. */
function bashOffers(line: string): string[] {
  const words = line.split(' ');
  const script = `${bashCompletion(commands)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_slipway
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', cwd: 'test/commands' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completion scripts', () => {
  const { path: directory, remove } = temporaryDirectory();
  afterAll(remove);

  test('every command and every option of the program is known to the scripts', () => {
    const paths = commands.map(({ path }) => path.join(' '));
    expect(paths).toEqual(expect.arrayContaining(['', 'serve', 'token create', 'agent start', 'completion']));
    const create = commands.find(({ path }) => path.join(' ') === 'token create');
    expect(create?.options.flatMap(({ flags }) => flags)).toEqual(
      expect.arrayContaining(['--user', '--scopes', '--json', '--help']),
    );
  });

  test.each([
    ['slipway ser', ['serve']],
    ['slipway token ', ['create', '--help']],
    ['slipway serve --ap', ['--apply']],
    ['slipway completion z', ['zsh']],
    ['slipway tool keygen --alg ES', ['ES512']],
    ['slipway apply completion.t', ['completion.test.ts']],
    ['slipway serve --apply completion.t', ['completion.test.ts']],
  ])('bash completes "%s" with %j', (line, expected) => {
    expect(bashOffers(line)).toEqual(expected);
  });

  test('bash offers every command where none is typed yet', () => {
    expect(bashOffers('slipway ')).toEqual(expect.arrayContaining(['dev', 'serve', 'config', '--version']));
  });

  testUnless(missing('fish'), 'fish completes commands and options with their descriptions', () => {
    writeFileSync(join(directory, 'slipway.fish'), fishCompletion(commands));
    const offers = (line: string) =>
      spawnSync('fish', ['--no-config', '-c', `source ${directory}/slipway.fish; complete -C '${line}'`], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], HOME: directory },
      });
    expect(offers('slipway tok')).toMatchObject({ stderr: '', stdout: 'token\tAPI tokens.\n' });
    expect(offers('slipway token ').stdout).toMatch(/^create\t/m);
    expect(offers('slipway token create --us').stdout).toMatch(/^--user\t/m);
    expect(offers('slipway completion ').stdout.split('\n')).toEqual(expect.arrayContaining(['bash', 'fish', 'zsh']));
  });

  testUnless(missing('zsh'), 'zsh reads its script, which registers a function for each command', () => {
    writeFileSync(join(directory, '_slipway'), zshCompletion(commands));
    const script = `autoload -Uz compinit && compinit -u -d ${directory}/dump && source ${directory}/_slipway && print $_comps[slipway] $+functions[_slipway_token_create]`;
    expect(
      spawnSync('zsh', ['-f', '-c', script], { encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: directory } }),
    ).toMatchObject({
      stderr: '',
      stdout: '_slipway 1\n',
    });
  });
});
