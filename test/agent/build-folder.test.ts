import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { silentLog } from '../../src/agent/options.js';
import { takeBuildFolder } from '../../src/agent/session/build-folder.js';
import { AgentOnFake } from '../support/agent-on-fake.js';

describe('the folder in which an agent works', () => {
  let buildPath: string;
  beforeEach(() => {
    buildPath = mkdtempSync(join(tmpdir(), 'build-folder-'));
  });
  afterEach(() => rmSync(buildPath, { recursive: true, force: true }));

  const take = (name: string) => takeBuildFolder(buildPath, name, silentLog);

  test('agents of one name work in different folders, and the next one takes the first that is free', async () => {
    const [first, second] = [await take('vm.example-1'), await take('vm.example-1')];
    expect([first.path, second.path]).toEqual([join(buildPath, 'vm-example-1'), join(buildPath, 'vm-example-1.2')]);
    first.release();
    first.release();
    const third = await take('vm.example-1');
    expect(third.path).toBe(first.path);
    second.release();
    third.release();
  });

  test('a folder that another process holds is free once that process was killed', async () => {
    const program = `
      const { mkdirSync, openSync } = require('node:fs');
      const { tryLock } = require('fs-native-extensions');
      mkdirSync('${buildPath}/.locks');
      process.stdout.write(String(tryLock(openSync('${buildPath}/.locks/vm-1', 'w'))));
      setInterval(() => undefined, 1000);`;
    const other = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      expect(String((await once(other.stdout, 'data'))[0])).toBe('true');
      const beside = await take('vm-1');
      expect(beside.path).toBe(join(buildPath, 'vm-1.2'));
      beside.release();
      const ended = once(other, 'exit');
      other.kill('SIGKILL');
      await ended;
      const after = await take('vm-1');
      expect(after.path).toBe(join(buildPath, 'vm-1'));
      after.release();
    } finally {
      other.kill('SIGKILL');
    }
  });

  test('a folder that cannot be written ends the agent with the reason before it takes a job', async () => {
    const on = await AgentOnFake.open();
    try {
      execFileSync('touch', [join(buildPath, 'file')]);
      await expect(on.start({ buildPath: join(buildPath, 'file') }).exit).resolves.toMatchObject({
        code: 1,
        reason: 'failed',
        message: expect.stringMatching(/ENOTDIR|EEXIST/),
      });
      expect(on.plane.calls.map(({ path }) => path)).toEqual(['/register', '/disconnect']);
    } finally {
      await on.dispose();
    }
  });

  test('jobs of two agents that a server gave the same name do not see the files of each other', async () => {
    const on = await AgentOnFake.open();
    on.plane.registrationExtra = { name: 'vm-1' };
    // Each job waits until the other has written its file too.
    const meet = (own: string, other: string) =>
      `touch ${buildPath}/${own} here; until [ -e ${buildPath}/${other} ]; do sleep 0.05; done; ls; pwd`;
    const jobs = [on.plane.addJob(meet('a', 'b')), on.plane.addJob(meet('b', 'a'))];
    try {
      const agents = [on.start({ disconnectAfterJob: true })];
      await on.plane.until(() => jobs[0]?.state === 'running');
      agents.push(on.start({ disconnectAfterJob: true }));
      await Promise.all(agents.map(({ exit }) => exit));
      const folders = jobs.map((job) => /^(\/.*widgets)\r?$/m.exec(on.plane.logText(job))?.[1] ?? '');
      expect(folders.map((folder) => folder.replace(on.buildPath, '')).sort()).toEqual([
        '/vm-1.2/acme/widgets',
        '/vm-1/acme/widgets',
      ]);
      expect(folders.every((folder) => existsSync(join(folder, 'here')))).toBe(true);
    } finally {
      await on.dispose();
    }
  });
});
