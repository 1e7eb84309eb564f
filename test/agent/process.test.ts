import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openOutputPipe } from '../../src/agent/job/output-pipe.js';
import { runProcess, type ProcessEnd } from '../../src/agent/job/process.js';

async function run(
  command: string,
  options: { cancelOnOutput?: boolean; openPipe?: typeof openOutputPipe; env?: Record<string, string> } = {},
): Promise<{ end: ProcessEnd; output: string }> {
  const cancel = new AbortController();
  const chunks: Buffer[] = [];
  const end = await runProcess({
    argv: ['/bin/sh', '-c', command],
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
    output: async (bytes) => {
      chunks.push(bytes);
      if (options.cancelOnOutput) cancel.abort();
    },
    cancel: cancel.signal,
    gracePeriodMs: 300,
    openPipe: options.openPipe,
  });
  return { end, output: Buffer.concat(chunks).toString() };
}

describe.each([
  ['a pipe', openOutputPipe],
  ['a socket, as where there is no mkfifo', async () => undefined],
])('a program whose output is %s', (_, openPipe) => {
  test.each<[string, ProcessEnd, string]>([
    ['echo 1; echo 2 >&2; echo 3; echo 4 >&2', { kind: 'exited', code: 0 }, '1\n2\n3\n4\n'],
    ['exit 9', { kind: 'exited', code: 9 }, ''],
    ['kill -TERM $$', { kind: 'signalled', signal: 'SIGTERM' }, ''],
    ['cat', { kind: 'exited', code: 0 }, ''],
    ['printf "\\377\\n" | wc -c | tr -d " "', { kind: 'exited', code: 0 }, '2\n'],
  ])('the command `%s` ends with the expected status and all its output in order', async (command, end, output) => {
    await expect(run(command, { openPipe })).resolves.toEqual({ end, output });
  });

  test('a canceled program ends with SIGTERM and keeps its earlier output', async () => {
    await expect(run('echo a; sleep 30', { openPipe, cancelOnOutput: true })).resolves.toEqual({
      end: { kind: 'cancelled', signal: 'SIGTERM' },
      output: 'a\n',
    });
  });
});

test('a process canceled before its start is never started', async () => {
  const end = await runProcess({
    argv: ['/bin/sh', '-c', 'exit 3'],
    cwd: tmpdir(),
    env: {},
    output: () => Promise.resolve(),
    cancel: AbortSignal.abort(),
    gracePeriodMs: 0,
  });
  expect(end).toEqual({ kind: 'cancelled', signal: 'SIGTERM' });
});

test('an environment too large for the system is reported as a failure to start', async () => {
  const { end } = await run('true', { env: { HUGE: 'x'.repeat(3_000_000) } });
  expect(end).toEqual({ kind: 'not_started', message: expect.stringContaining('E2BIG') });
});

test('processes that a command leaves running receive SIGHUP', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agent-process-'));
  const beats = join(folder, 'beats');
  const { end } = await run(
    `(while true; do echo x >> '${beats}'; sleep 0.02; done) & until [ -s '${beats}' ]; do sleep 0.01; done`,
  );
  expect(end).toEqual({ kind: 'exited', code: 0 });
  // Waits until the file stops growing; a process that survives the hang-up makes the test time out.
  for (let before = -1, size = 0; size !== before; size = statSync(beats).size) {
    before = size;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(statSync(beats).size).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
});
