import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/directory.js';
import { describeUnless } from '../support/skips.js';

const noPrograms = existsSync('/usr/lib/postgresql') ? null : 'needs the programs of Debian’s PostgreSQL';

describeUnless(noPrograms, 'the floors of the benches', () => {
  const directory = temporaryDirectory();
  // PostgreSQL runs as another user than root.
  chmodSync(directory.path, 0o755);
  afterAll(() => directory.remove());

  // A field that only the product shows would make the next whole bench end there.
  it('answer what the product answers, and a second run finds the databases of the first', { timeout: 240_000 }, () => {
    const output = join(directory.path, 'results.json');
    const bench = (...names: string[]) => {
      const options = ['--data', directory.path, '--output', output, '--scale', '0.01', '--check'];
      const { status, stderr } = spawnSync(process.execPath, ['bench/main.mjs', ...options, ...names], {
        encoding: 'utf8',
      });
      expect(status, stderr).toBe(0);
      expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({ failed: [] });
      return stderr;
    };
    const first = bench();
    for (const title of ['30 builds', 'a build of 100 jobs', '30 pipelines', 'Filling']) expect(first).toContain(title);
    expect(bench('rest-pipelines')).not.toContain('Filling');
  });
});
