import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { LogOutput } from '../../src/server/log-output.js';
import { compiledModules } from '../support/compiled-modules.js';
import { testUnless } from '../support/skips.js';

const moduleUrl = (...path: string[]) => JSON.stringify(pathToFileURL(join(compiledModules(), ...path)).href);

/**
 * A process that logs as a server does, 64 KiB a turn, and reports its log over its IPC channel. It ends when it is
 * told to, or with an exit code of its own.
 */
function logInProcess(stdout: 'pipe' | 'ignore' | number, shell?: string): ChildProcess {
  const source = `
    import { createLog } from ${moduleUrl('server', 'logging.js')};
    import { outputOf } from ${moduleUrl('server', 'log-output.js')};
    import { catchUncaught, uncaughtErrors } from ${moduleUrl('server', 'last-resort.js')};
    const log = await createLog('info');
    catchUncaught(log, () => process.exit(3));
    let turns = 0;
    setInterval(() => {
      for (let line = 0; line < 16; line += 1) log.info({ text: 'x'.repeat(4096) }, 'a line');
      turns += 1;
    }, 10);
    process.on('message', () => process.exit(0));
    setInterval(() => {
      const { stopped, lost } = outputOf(log);
      process.send({ stopped, lost, turns, waiting: process.stdout.writableLength, uncaught: uncaughtErrors });
    }, 50);`;
  const args = ['--input-type=module', '-e', source];
  return shell
    ? spawn('sh', ['-c', `exec "$0" "$@" ${shell}`, process.execPath, ...args], {
        stdio: ['ignore', stdout, 'inherit', 'ipc'],
      })
    : spawn(process.execPath, args, { stdio: ['ignore', stdout, 'inherit', 'ipc'] });
}

interface Report {
  stopped: boolean;
  lost: number;
  turns: number;
  waiting: number;
  uncaught: Record<string, number>;
}

/** The first report from now on that has what is looked for; fails if the process ends before. */
function reportOf(child: ChildProcess, accepts: (report: Report) => boolean): Promise<Report> {
  return new Promise((resolve, reject) => {
    const look = (report: Report) => {
      if (!accepts(report)) return;
      child.off('message', look).off('exit', ended);
      resolve(report);
    };
    const ended = (code: number) => reject(new Error(`the process ended with ${code}`));
    child.on('message', look).once('exit', ended);
  });
}

/** Lets it go on for some turns, then tells it to end. */
async function goesOn(child: ChildProcess, { turns }: Report): Promise<Report> {
  const later = await reportOf(child, (report) => report.turns > turns + 20);
  expect(later.uncaught).toEqual({ connection: 0, promise: 0, other: 0 });
  const ended = once(child, 'exit');
  child.send('end');
  expect(await ended).toEqual([0, null]);
  return later;
}

describe('a log whose lines cannot be written', () => {
  test('a reader that goes away stops the log and nothing else', async () => {
    const child = logInProcess('pipe');
    await once(child.stdout!, 'data');
    child.stdout!.destroy();
    const later = await goesOn(child, await reportOf(child, ({ stopped }) => stopped));
    expect(later.stopped).toBe(true);
  });

  test('a reader that has gone away before the start stops the log and nothing else', async () => {
    const child = logInProcess('pipe');
    child.stdout!.destroy();
    await goesOn(child, await reportOf(child, ({ stopped }) => stopped));
  });

  test('a reader that does not read costs lines, not memory, and the log goes on once it reads', async () => {
    const child = logInProcess('pipe');
    const report = await reportOf(child, ({ lost }) => lost > 100);
    expect(report.waiting).toBeLessThan(1.2 * 1024 * 1024);
    let text = '';
    child.stdout!.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const later = await reportOf(child, () => /"lost":\d+,"msg":"log lines could not be written"/.test(text));
    await goesOn(child, later);
    // What was written is whole lines, but for the last one, which the end of the process may have cut.
    for (const line of text.split('\n').slice(0, -1)) expect(JSON.parse(line)).toHaveProperty('msg');
  });

  testUnless(
    existsSync('/dev/full') ? null : 'there is no /dev/full',
    'a full disk stops the log and nothing else',
    async () => {
      const full = openSync('/dev/full', 'w');
      const child = logInProcess(full);
      closeSync(full);
      await goesOn(child, await reportOf(child, ({ stopped }) => stopped));
    },
  );

  test('a log that is closed when the process starts is no error', async () => {
    const child = logInProcess('ignore', '1>&-');
    await goesOn(child, await reportOf(child, ({ turns }) => turns > 5));
  });

  test('lines are written again, after one about those that were lost, once the disk has space', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let full = true;
    const written: string[] = [];
    const stream = new Writable({ write: () => undefined });
    const disk = Object.assign(stream, {
      write: (line: string, done: (error?: Error) => void) => {
        if (!full) written.push(line);
        done(full ? new Error('ENOSPC') : undefined);
        return true;
      },
    }) as unknown as NodeJS.WriteStream;
    const output: LogOutput = new LogOutput(disk, (lost) => output.write(`${lost} lost`));
    output.write('first');
    full = false;
    output.write('second');
    expect([output.stopped, output.lost, written]).toEqual([true, 2, []]);
    vi.advanceTimersByTime(1_500);
    output.write('third');
    output.write('fourth');
    expect([output.stopped, output.lost, written]).toEqual([false, 2, ['third', '2 lost', 'fourth']]);
    vi.useRealTimers();
  });

  test('a stream that throws costs a line', () => {
    const broken = Object.assign(new Writable(), {
      write: () => {
        throw new Error('broken');
      },
    }) as unknown as NodeJS.WriteStream;
    const output = new LogOutput(broken, () => undefined);
    output.write('a line');
    expect([output.stopped, output.lost]).toEqual([true, 1]);
  });
});
