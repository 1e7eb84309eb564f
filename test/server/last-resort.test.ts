import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compiledModules } from '../support/compiled-modules.js';

/** Runs a script in a separate process with the last-resort handlers in place; its `stop` exits with 3. */
function run(script: string): { status: number | null; stdout: string } {
  const module = pathToFileURL(join(compiledModules(), 'server', 'last-resort.js')).href;
  const source = `
    import { connect, createServer } from 'node:net';
    import { createServer as createHttp } from 'node:http';
    import { catchUncaught, uncaughtErrors } from ${JSON.stringify(module)};
    const log = { error: (fields) => console.log(fields.origin + ': ' + fields.err.message) };
    catchUncaught(log, () => process.exit(3));
    ${script}`;
  return spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8', timeout: 20_000 });
}

const report = 'console.log(JSON.stringify(uncaughtErrors)); process.exit(0);';

describe('an uncaught error', () => {
  test("an uncaught error in a connection's handler is logged and counted, and the process continues", () => {
    const { status, stdout } = run(`
      const server = createHttp((request) => { request.once('data', () => { throw new TypeError('in a handler'); }); });
      server.on('upgrade', () => { throw new Error('in an upgrade'); });
      server.listen(0, '127.0.0.1', () => {
        const post = connect(server.address().port, '127.0.0.1', () => post.write('POST / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 5\\r\\n\\r\\nab'));
        const upgrade = connect(server.address().port, '127.0.0.1', () => upgrade.write('GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: Upgrade\\r\\nUpgrade: x\\r\\n\\r\\n'));
        const look = setInterval(() => { if (uncaughtErrors.connection === 2) { clearInterval(look); ${report} } }, 5);
      });`);
    expect(stdout).toContain('connection: in a handler');
    expect(stdout).toContain('connection: in an upgrade');
    expect([status, stdout]).toEqual([0, expect.stringContaining('{"connection":2,"promise":0,"other":0}')]);
  });

  test('an unhandled rejection is logged and counted, and the process continues', () => {
    const { status, stdout } = run(`void Promise.reject(new Error('alone')); setImmediate(() => { ${report} });`);
    expect([status, stdout]).toEqual([0, 'promise: alone\n{"connection":0,"promise":1,"other":0}\n']);
  });

  test.each([
    ['throws', `() => { throw new Error('the log is broken'); }`],
    ['rejects', `async () => { if (uncaughtErrors.promise < 5) throw new Error('the log is broken'); }`],
  ])('a log that %s when an uncaught error is logged does not end the process', (_kind, broken) => {
    const { status, stdout } = run(
      `log.error = ${broken}; void Promise.reject(new Error('alone')); setTimeout(() => { ${report} }, 50);`,
    );
    expect([status, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ connection: 0, other: 0 })]);
  });

  test('any other uncaught error shuts the process down in order', () => {
    const { status, stdout } = run("setTimeout(() => { throw new Error('in a timer'); }, 1);");
    expect([status, stdout]).toEqual([3, 'other: in a timer\n']);
  });
});
