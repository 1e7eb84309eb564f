import { randomBytes } from 'node:crypto';
import { Command } from 'commander';

import { wait } from '../wait.js';
import { callAgent } from './agent-calls.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import { localCommand, valueOption } from './command-options.js';

interface LockOptions {
  lockScope: string;
  lockWaitTimeout?: string;
}

const path = '/api/leader/v0/lock';
const pollMs = 100;

/** `buildkite-agent lock`: locks among the jobs of one agent process. */
export function lockCommand(io: CommandIo): Command {
  const lock = (name: string, description: string) =>
    localCommand(io, name, description)
      .argument('<key>')
      .addOption(valueOption(io, '--lock-scope <scope>', 'machine', 'BUILDKITE_LOCK_SCOPE', 'machine'))
      .addOption(valueOption(io, '--sockets-path <path>', 'accepted, without effect', 'BUILDKITE_SOCKETS_PATH'));
  const timeout = () =>
    valueOption(
      io,
      '--lock-wait-timeout <duration>',
      'how long to wait, such as 30s or 5m; default without end',
      'BUILDKITE_LOCK_WAIT_TIMEOUT',
    );

  const acquire = lock('acquire', 'Wait for a lock, and print the token that releases it.')
    .addOption(timeout())
    .action(async (key: string, options: LockOptions) => {
      const token = `acquired(pid=${process.pid},otp=${randomBytes(16).toString('hex')})`;
      const deadline = deadlineOf(options);
      while (!(await swap(io, key, '', token)).swapped) await waitAgain(key, deadline);
      io.out(`${token}\n`);
    });
  const release = lock('release', 'Release a lock.')
    .argument('<token>', 'what acquire printed')
    .action(async (key: string, token: string, options: LockOptions) => {
      deadlineOf(options);
      const { value, swapped } = await swap(io, key, token, '');
      if (swapped) return;
      throw new CommandFailure(
        value === '' ? `The lock "${key}" is free already.` : `The lock "${key}" is held by someone else.`,
      );
    });
  const doOnce = lock('do', 'Print "do" for the first caller, which then has to call done; "done" for all after that.')
    .addOption(timeout())
    .action(async (key: string, options: LockOptions) => {
      const deadline = deadlineOf(options);
      for (;;) {
        const { value, swapped } = await swap(io, key, '', 'doing');
        if (swapped || value === 'done') return io.out(swapped ? 'do\n' : 'done\n');
        if (value !== 'doing') throw new CommandFailure(`The lock "${key}" is in use for something else.`);
        await waitAgain(key, deadline);
      }
    });
  const done = lock('done', 'Say that what "do" asked for is done.').action(
    async (key: string, options: LockOptions) => {
      deadlineOf(options);
      if (!(await swap(io, key, 'doing', 'done')).swapped)
        throw new CommandFailure(`Nobody was told to do "${key}", or it is done already.`);
    },
  );
  const get = lock('get', 'Print the state of a lock.').action(async (key: string, options: LockOptions) => {
    deadlineOf(options);
    const reply = await callAgent(io, 'GET', `${path}?key=${encodeURIComponent(key)}`);
    io.out(`${String(reply['value'])}\n`);
  });
  return [acquire, release, doOnce, done, get].reduce(
    (group, command) => group.addCommand(command),
    new Command('lock').description('Locks among the jobs of one agent process.'),
  );
}

async function swap(
  io: CommandIo,
  key: string,
  present: string,
  next: string,
): Promise<{ value: string; swapped: boolean }> {
  const reply = await callAgent(io, 'PATCH', path, { key, old: present, new: next });
  return { value: String(reply['value']), swapped: reply['swapped'] === true };
}

async function waitAgain(key: string, deadline: number): Promise<void> {
  if (Date.now() >= deadline) throw new CommandFailure(`The lock "${key}" was not free in time.`);
  await wait(pollMs);
}

/** The time until which a command may wait. */
function deadlineOf({ lockScope, lockWaitTimeout }: LockOptions): number {
  if (lockScope !== 'machine') throw new CommandFailure('Only the lock scope "machine" is supported.');
  if (lockWaitTimeout === undefined) return Infinity;
  const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
  const parts = [...lockWaitTimeout.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  if (parts.length === 0 || parts.map(([text]) => text).join('') !== lockWaitTimeout)
    throw new CommandFailure(`"${lockWaitTimeout}" is not a duration such as 30s or 5m.`);
  return (
    Date.now() + parts.reduce((sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units], 0)
  );
}
