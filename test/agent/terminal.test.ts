import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProcess, type ProcessEnd } from '../../src/agent/job/process.js';
import { findTerminal, prepareTerminal } from '../../src/agent/job/terminal.js';
import { AgentOnFake } from '../support/agent-on-fake.js';
import { describeUnless, testUnless } from '../support/skips.js';

const kind = await findTerminal(process.env);
const noTerminal = kind === null ? 'there is no "script" command' : null;
let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'slipway-terminal-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** A machine with nothing on its PATH but what a test puts there. */
function machineWith(script: string | null): { PATH: string } {
  if (script !== null) {
    writeFileSync(join(folder, 'script'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'script'), 0o755);
  }
  return { PATH: folder };
}

test.each([
  ['has no such command', null],
  ['cannot open a terminal', 'echo "script: failed to create pseudo-terminal" >&2; exit 1'],
  ['runs the program without one', 'shift 3; exec "$@"'],
  ['hides how the program ended', 'exit 0'],
])('a machine whose "script" command %s has no terminals', async (_name, script) => {
  expect(await findTerminal(machineWith(script))).toBeNull();
});

describeUnless(noTerminal, 'a program in a pseudo-terminal', () => {
  async function run(command: string, { cancelOn, env }: { cancelOn?: string; env?: Record<string, string> } = {}) {
    const cancel = new AbortController();
    let output = '';
    const program = {
      argv: ['/bin/sh', '-c', command] as const,
      env: { PATH: process.env['PATH'] ?? '', SHELL: '/bin/odd', ...env },
    };
    const end: ProcessEnd = await runProcess({
      ...program,
      terminal: await prepareTerminal(kind!, folder, program),
      cwd: tmpdir(),
      output: async (bytes) => {
        output += bytes.toString();
        if (cancelOn !== undefined && output.includes(cancelOn)) cancel.abort();
      },
      cancel: cancel.signal,
      gracePeriodMs: 300,
    });
    return { end, output };
  }

  test('all three standard streams are the terminal, which has a size', async () => {
    const { end, output } = await run('test -t 0 && test -t 1 && test -t 2 && stty size && echo "$SHELL" >&2; exit 7');
    expect(end).toEqual({ kind: 'exited', code: 7 });
    expect(output).toBe('100 160\r\n/bin/odd\r\n');
  });

  test('arguments arrive as they are, whatever characters they have', async () => {
    const text = `it's "$HOME" \\n \`x\` ü`;
    const { output } = await run(`printf %s "$TEXT"; printf '|%s' '${text.replaceAll("'", `'\\''`)}'`, {
      env: { TEXT: text },
    });
    expect(output).toBe(`${text}|${text}`);
  });

  test('a signal of its own becomes an exit status', async () => {
    expect((await run('kill -TERM $$')).end).toEqual({ kind: 'exited', code: 143 });
  });

  test('a cancel reaches the program and its children, which may say their last words', async () => {
    const { end, output } = await run('trap "echo bye; exit 3" TERM; sleep 30 & echo ready; wait', {
      cancelOn: 'ready',
    });
    expect(end).toEqual({ kind: 'cancelled', signal: 'SIGTERM' });
    expect(output).toContain('bye\r\n');
  });

  test('a program that ignores the cancel is killed after the grace period', async () => {
    const { end } = await run('trap "" TERM HUP; echo ready; while true; do sleep 0.05; done', { cancelOn: 'ready' });
    expect(end).toEqual({ kind: 'cancelled', signal: 'SIGKILL' });
  });
});

describe('jobs that ask for a pseudo-terminal', () => {
  let on: AgentOnFake;
  beforeEach(async () => void (on = await AgentOnFake.open()));
  afterEach(() => on.dispose());
  const command = 'test -t 1 && echo terminal || echo none; printf "%s\\n" "$DEPLOY_KEY_SECRET"';

  testUnless(noTerminal, 'the option of the agent gives one, and secrets of several lines stay hidden', async () => {
    const job = on.plane.addJob(command, { DEPLOY_KEY_SECRET: 'first line\nsecond line' });
    await on.run(job, { pty: true });
    expect(on.plane.logText(job)).toContain('\nterminal\r\n[REDACTED]\r\n');
    const without = on.plane.addJob(command, { BUILDKITE_PTY: 'false' });
    await on.run(without, { pty: true });
    expect(on.plane.logText(without)).toContain('\nnone\n');
  });

  testUnless(noTerminal, 'so does the variable of one job', async () => {
    const job = on.plane.addJob(command, { BUILDKITE_PTY: 'true' });
    await on.run(job);
    expect(on.plane.logText(job)).toContain('\nterminal\r\n');
  });

  test('on a machine without one the log says so, and the job runs', async () => {
    const job = on.plane.addJob(command);
    await on.run(job, { pty: true, findTerminal: () => Promise.resolve(null) });
    expect(on.plane.logText(job)).toContain('Runs without a pseudo-terminal (BUILDKITE_PTY): no "script" command');
    expect(on.plane.logText(job)).toContain('\nnone\n');
    expect(job.finish).toMatchObject({ exit_status: '0' });
  });
});
