import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { Program } from '../support/program.js';

test('a server with another database is refused the storage, until the storage is adopted on purpose', async () => {
  const directory = temporaryDirectory();
  const storage = join(directory.path, 'shared');
  const envOf = (name: string) => ({
    DATA_DIR: join(directory.path, name),
    STORAGE_URL: `file:${storage}`,
    PORT: '0',
  });
  const run = (name: string, ...args: string[]) => Program.start(args, envOf(name)).ended;
  const start = async (name: string) => {
    const program = Program.start(['serve'], envOf(name));
    await program.until(/"url":"(http:[^"]+)"/);
    return program;
  };
  const stray = join(
    storage,
    'organizations/00000000-0000-7000-8000-000000000001/builds/00000000-0000-7000-8000-000000000002',
    'artifacts/00000000-0000-7000-8000-000000000003/content',
  );
  try {
    await Promise.all(['one', 'two'].map((name) => migrateDataDirectory(envOf(name).DATA_DIR)));
    await (await start('one')).stop('SIGTERM');
    mkdirSync(dirname(stray), { recursive: true });
    writeFileSync(stray, 'bytes of the first installation');
    const longAgo = new Date(Date.now() - 30 * 86_400_000);
    utimesSync(stray, longAgo, longAgo);

    const refused = await run('two', 'serve');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('STORAGE_URL: this storage is that of another installation');
    expect(refused.stderr).toContain('run: slipway adopt-storage');
    expect(refused.stderr).not.toContain('    at ');
    expect((await run('two', 'sweep-storage')).code).toBe(1);

    const adopted = await run('two', 'adopt-storage', '--json');
    expect(JSON.parse(adopted.stdout)).toEqual({ adopted: true, former_installation: expect.any(String) });
    await (await start('two')).stop('SIGTERM');
    expect((await run('one', 'serve')).stderr).toContain('this storage is that of another installation');

    const report = { quarantined: 0, restored: 0, deleted: 0, inQuarantine: 0, missing: { logs: 0, artifacts: 0 } };
    const bytes = { logs: 0, artifacts: expect.any(Number) };
    expect(JSON.parse((await run('two', 'sweep-storage', '--json')).stdout)).toEqual({ ...report, bytes, unproven: 1 });
    expect(existsSync(stray)).toBe(true);
    const swept = await run('two', 'sweep-storage', '--unproven', '--json');
    expect(JSON.parse(swept.stdout)).toEqual({ ...report, bytes, quarantined: 1, unproven: 0 });
    expect(existsSync(stray)).toBe(false);
  } finally {
    directory.remove();
  }
}, 240_000);
