import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:http';
import { request as secureRequest } from 'node:https';
import { join } from 'node:path';
import { makeCertificate, noCertificates } from '../support/certificate.js';
import { temporaryDirectory } from '../support/database.js';
import { NotifySocket, noNotifications } from '../support/notify-socket.js';
import { builtProgram, Program } from '../support/program.js';
import { describeUnless } from '../support/skips.js';
import { testPort } from '../support/test-port.js';

const directory = temporaryDirectory();
afterAll(() => directory.remove());
const dataDirectory = { DATA_DIR: join(directory.path, 'data') };

/** The status and headers of a reply, however its server is reached. */
async function ask(options: RequestOptions, send = request) {
  const sent = send({ agent: false, path: '/readyz', ...options }).end();
  const [reply] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  reply.resume();
  await once(reply, 'end');
  return { status: reply.statusCode, headers: reply.headers };
}

describe('slipway serve on a socket file', () => {
  const path = join(directory.path, 'slipway.sock');
  const env = { ...dataDirectory, HOST: `unix:${path}`, BASE_URL: 'https://ci.example.com' };

  test('takes the place of a file that was left, opens it to its group, believes its proxy, and removes it at its end', async () => {
    // A process that is killed leaves its socket file.
    spawnSync(process.execPath, [
      '-e',
      `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
    ]);
    expect(statSync(path).isSocket()).toBe(true);
    const program = Program.start(['serve'], env);
    await program.until(/"msg":"listening"/);
    expect(JSON.parse(/^.*"msg":"listening".*$/m.exec(program.stdout)?.[0] ?? '{}')).toMatchObject({
      url: `unix:${path}`,
      base_url: 'https://ci.example.com',
    });
    expect((statSync(path).mode & 0o777).toString(8)).toBe('660');
    expect((await ask({ socketPath: path })).status).toBe(200);
    const headers = { 'x-forwarded-for': '198.51.100.9', 'x-forwarded-proto': 'https' };
    await ask({ socketPath: path, path: '/v2/user', headers });
    await program.until(/"remote_address":"198.51.100.9","protocol":"https","status":401/);
    const second = await Program.run(['serve'], { ...env, DATA_DIR: join(directory.path, 'other') });
    expect([second.code, second.stderr]).toEqual([
      1,
      `error: the socket ${path} is that of another process: stop it, or set HOST to another path\n`,
    ]);
    expect((await program.stop()).code).toBe(0);
    expect(existsSync(path)).toBe(false);
  }, 90_000);

  test('leaves a file alone that is no socket, and says so in one sentence', async () => {
    const file = join(directory.path, 'file');
    writeFileSync(file, 'mine');
    const { code, stderr } = await Program.run(['serve'], { ...env, HOST: `unix:${file}` });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: .*\/file is there and no socket: remove it, .*\n$/),
    ]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

describeUnless(noCertificates, 'slipway serve with TLS_CERT and TLS_KEY', () => {
  test('speaks https on its port, and names it in its addresses', async () => {
    const { certificate, key } = makeCertificate(directory.path, 'server', 3);
    const program = Program.start(['serve'], { ...dataDirectory, PORT: '0', TLS_CERT: certificate, TLS_KEY: key });
    const [, port] = await program.until(/"url":"https:\/\/127\.0\.0\.1:(\d+)","base_url":"https:\/\/127\.0\.0\.1:\1"/);
    const address = { host: '127.0.0.1', port: Number(port) };
    const secure = await ask({ ...address, ca: readFileSync(certificate) } as RequestOptions, secureRequest);
    expect(secure.status).toBe(200);
    expect(await ask(address)).toMatchObject({
      status: 308,
      headers: { location: `https://127.0.0.1:${port}/readyz` },
    });
    expect(program.stdout).toContain('the TLS certificate ends within a week');
    expect((await program.stop()).code).toBe(0);
  }, 60_000);
});

const canActivate = spawnSync('systemd-socket-activate', ['--version']).status === 0;
const reason = canActivate ? noNotifications() : 'systemd-socket-activate is not installed';

describeUnless(reason, 'slipway serve as a service of systemd', () => {
  test('takes the socket that systemd listens on, and says when it is ready, alive and stopping', async () => {
    const manager = new NotifySocket(join(directory.path, 'notify'));
    const port = await testPort();
    const own = { ...dataDirectory, BASE_URL: 'https://ci.example.com', DRAIN_DELAY: '0', PORT: '1' };
    const { PATH = '' } = process.env;
    const variables = { PATH, ...own, NOTIFY_SOCKET: manager.path, WATCHDOG_USEC: '400000' };
    const settings = Object.entries(variables).map(([name, value]) => `--setenv=${name}=${value}`);
    const command = [process.execPath, '--no-warnings', builtProgram(), 'serve'];
    const child = spawn('systemd-socket-activate', [`--listen=127.0.0.1:${port}`, ...settings, ...command], {
      env: { PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
    try {
      await vi.waitUntil(() => output.includes('Listening on'), { timeout: 10_000 });
      // The first connection starts it, and waits until it answers.
      expect((await ask({ host: '127.0.0.1', port })).status).toBe(200);
      expect(output).toContain(`"url":"http://127.0.0.1:${port}"`);
      await vi.waitFor(() => expect(manager.messages).toContain('WATCHDOG=1'), { timeout: 10_000 });
      expect(manager.messages[0]).toMatch(/READY=1/);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
      await vi.waitFor(() => expect(manager.messages).toContain('STOPPING=1'), { timeout: 5_000 });
    } finally {
      child.kill('SIGKILL');
      manager.stop();
    }
  }, 60_000);
});
