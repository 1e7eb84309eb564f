import { join } from 'node:path';
import { migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { Program } from '../support/program.js';

describe('slipway serve, when the reader of its log goes away', () => {
  const directory = temporaryDirectory();
  let program: Program;
  afterAll(async () => {
    await program.stop('SIGKILL');
    directory.remove();
  });

  test('the server answers, says that its log has stopped, and stops on SIGTERM', async () => {
    const dataDir = join(directory.path, 'data');
    await migrateDataDirectory(dataDir);
    program = Program.start(['serve'], { DATA_DIR: dataDir, PORT: '0' });
    const [, url = ''] = await program.until(/"url":"(http:[^"]+)"/);
    program.child.stdout?.destroy();
    program.child.stderr?.destroy();
    const ask = async (path: string) => {
      const reply = await fetch(url + path, { signal: AbortSignal.timeout(10_000) });
      return { status: reply.status, text: await reply.text() };
    };
    for (let line = 0; line < 20; line += 1) expect((await ask('/v2/user')).status).toBe(401);
    // A check may take too long on a busy machine, but not for ever.
    await vi.waitUntil(async () => (await ask('/readyz')).status === 200, { timeout: 30_000 });
    expect(JSON.parse((await ask('/readyz')).text)).toMatchObject({
      status: 'ready',
      message: 'Everything can be used, but log lines cannot be written',
      log: 'unavailable',
    });
    const { text: metrics } = await ask('/metrics');
    expect(metrics).toMatch(/^slipway_log_stopped 1$/m);
    expect(metrics).toMatch(/^slipway_log_lines_lost_total [1-9]/m);
    expect(metrics).toMatch(/^slipway_uncaught_errors_total\{origin="connection"\} 0$/m);
    const ended = await program.stop();
    expect(ended.code).toBe(0);
  }, 90_000);
});
