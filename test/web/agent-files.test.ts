import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import express from 'express';
import request from 'supertest';
import { agentFilesRouter } from '../../src/web/agent-files.js';
import { temporaryDirectory } from '../support/database.js';

describe('the files of the agent', () => {
  const directory = temporaryDirectory();
  afterAll(() => directory.remove());

  test('the installer refuses an agent that does not match its checksum', async () => {
    writeFileSync(join(directory.path, 'slipway-agent.mjs'), 'console.log("0.0.0")');
    writeFileSync(join(directory.path, 'install.sh'), readFileSync('scripts/install-agent.sh'));
    const app = express();
    app.get('/agent/slipway-agent.mjs.sha256', (_request, response) => {
      response.send(`${'0'.repeat(64)}  slipway-agent.mjs\n`);
    });
    let baseUrl = '';
    app.use('/agent', (...args) => agentFilesRouter({ baseUrl }, directory.path)(...args));
    const server = app.listen(0, '127.0.0.1');
    await new Promise((done) => server.once('listening', done));
    try {
      baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
      const script = await (await fetch(`${baseUrl}/agent/install.sh`)).text();
      const prefix = join(directory.path, 'prefix');
      const refused = await promisify(execFile)('/bin/sh', ['-c', script, 'install.sh', '--prefix', prefix], {
        env: { PATH: process.env['PATH'] },
      }).then(
        () => '',
        ({ stderr }: { stderr: string }) => stderr,
      );
      expect(refused).toBe('slipway-agent: the downloaded agent does not match its checksum: nothing was installed\n');
      expect(existsSync(join(prefix, 'bin', 'slipway-agent'))).toBe(false);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  test('an installation without the built agent answers 404 and says why', async () => {
    const app = express().use('/agent', agentFilesRouter({ baseUrl: 'http://x' }, join(directory.path, 'none')));
    const { status, body } = await request(app).get('/agent/slipway-agent.mjs');
    expect([status, body]).toEqual([404, { message: expect.stringContaining('npm run build') }]);
  });

  test('an address with a quote cannot leave its place in the installer', async () => {
    const app = express().use('/agent', agentFilesRouter({ baseUrl: "http://x/'$(id)'" }, directory.path));
    expect((await request(app).get('/agent/install.sh')).text).toContain(`base_url='http://x/'\\''$(id)'\\'''\n`);
  });
});
