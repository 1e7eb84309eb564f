import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { removeLeftovers } from '../../src/agent/job/leftovers.js';
import { silentLog } from '../../src/agent/options.js';

let parent: string;
beforeEach(() => void (parent = mkdtempSync(join(tmpdir(), 'slw-'))));
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const folder = (name: string, hoursOld = 0) => {
  const path = join(parent, name);
  mkdirSync(join(path, 'bin'), { recursive: true });
  const then = new Date(Date.now() - hoursOld * 3_600_000);
  utimesSync(path, then, then);
  return path;
};

test('only folders of jobs that no living agent works in are removed', async () => {
  const living = folder('slipway-job-aaaaaa', 5);
  const server = createServer().listen(join(living, 'job.sock'));
  await once(server, 'listening');
  const killed = folder('slipway-job-bbbbbb');
  // A process that is killed leaves its socket behind.
  spawnSync(process.execPath, [
    '-e',
    `require('net').createServer().listen(${JSON.stringify(join(killed, 'job.sock'))}, () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
  expect(existsSync(join(killed, 'job.sock'))).toBe(true);
  const beingMade = folder('slipway-job-cccccc');
  const unfinished = folder('slipway-job-dddddd', 2);
  const foreign = folder('another-job-eeeeee', 50);
  symlinkSync(foreign, join(parent, 'slipway-job-ffffff'));
  expect(await removeLeftovers(silentLog, { parents: [parent, join(parent, 'nowhere')] })).toBe(2);
  expect([living, beingMade, foreign, join(parent, 'slipway-job-ffffff')].every((path) => existsSync(path))).toBe(true);
  expect([killed, unfinished].some((path) => existsSync(path))).toBe(false);
  server.close();
});
