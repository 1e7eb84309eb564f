import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compiledModules } from '../support/compiled-modules.js';

test('a command that failed ends although something is open, with all that it printed', () => {
  const module = pathToFileURL(join(compiledModules(), 'commands', 'end-with.js')).href;
  const source = `
    import { endWith } from ${JSON.stringify(module)};
    setInterval(() => undefined, 1_000);
    process.stderr.write('error: ' + 'x'.repeat(200_000));
    endWith(1);`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect([status, stderr.length]).toEqual([1, 200_007]);
});
