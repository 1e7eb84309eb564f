import { availableParallelism } from 'node:os';
import type { Piscina } from 'piscina';
import { nextTurn } from '../event-loop/turns.js';
import { openTransactionName } from '../database/transaction.js';
import { Problem } from '../domain/problem.js';
import type { ThreadTask } from './entry.js';
import { FairQueue, type QueueLimits } from './fair-queue.js';
import { type CountsByTask, noCounts, type Outcome } from './task-counts.js';
import { joinPieces, type Pieces } from './pieces.js';
import { cpuOfThread, newProgress, type ThreadCpu, TimeLimit } from './time-limit.js';
import { type TaskInput, type TaskName, type TaskOutput, tasks } from './tasks.js';

/** A task was stopped at its limit of time or memory: its input is too expensive, and would be on every retry. */
export class TaskTooDear extends Error {
  override readonly name = 'TaskTooDear';

  constructor(
    readonly task: TaskName,
    readonly limit: 'time' | 'memory',
  ) {
    super(`${task} was stopped at its ${limit} limit`);
  }
}

/** Work whose cost the caller chooses, in threads. */
export interface Workers {
  /**
   * Does a task for a caller, in a thread unless it is small. Throws `unavailable` where too much waits already or the
   * machine is too busy to carry it out, {@link TaskTooDear} where it was stopped at a limit, and an error inside a
   * transaction, where locks would wait for it.
   */
  run<Name extends TaskName>(name: Name, caller: string, input: TaskInput<Name>): Promise<TaskOutput<Name>>;
  /** Figures by task. */
  counts(): CountsByTask;
  /** Threads there are. */
  threads(): number;
  /** Ends the threads and refuses waiting tasks. */
  close(): Promise<void>;
}

export interface WorkerOptions {
  /** Most threads. */
  threads?: number;
  /** The file that threads run; tests name one that reads TypeScript. */
  entry?: URL;
  queue?: QueueLimits;
  /** Milliseconds after which a thread without work ends. */
  idleMs?: number;
  /** Time limits to use instead of the tasks' own. */
  limitMs?: number;
  /** Reads the CPU time of a thread; tests replace it. */
  threadCpu?: ThreadCpu;
  /** How often the time of a task without CPU time is extended. */
  waits?: number;
  /** Most memory of a thread's objects, in MiB. */
  memoryMiB?: number;
}

const MiB = 1024 * 1024;
const usualQueue: QueueLimits = { perCaller: 50, total: 500, bytesPerCaller: 16 * MiB, bytesTotal: 64 * MiB };
/** Opens the pool; the first task that needs a thread starts one, and threads without work end. */
export function openWorkers(options: WorkerOptions = {}): Workers {
  return new ThreadWorkers(options);
}

class ThreadWorkers implements Workers {
  private readonly most: number;
  private readonly queue: FairQueue;
  private readonly figures = noCounts();
  private pool: Promise<Piscina> | null = null;
  private size = 0;
  private running = 0;
  private closed = false;

  constructor(private readonly options: WorkerOptions) {
    this.most = options.threads ?? Math.max(2, Math.min(4, availableParallelism() - 1));
    this.queue = new FairQueue(options.queue ?? usualQueue);
  }

  async run<Name extends TaskName>(name: Name, caller: string, input: TaskInput<Name>): Promise<TaskOutput<Name>> {
    const open = openTransactionName();
    if (open !== null)
      throw new Error(`${name} inside the transaction that is open (${open}): its locks would be held meanwhile`);
    const { size, smallSize, load } = tasks[name];
    const inputSize = size(input);
    if (inputSize <= smallSize) {
      this.figures[name].ended.small += 1;
      return (await load())(input);
    }
    await this.turn(name, caller, inputSize);
    // Copying a large input into a thread takes a turn of the event loop of its own, beside what made the input.
    if (inputSize > MiB) await nextTurn();
    return this.inThread(name, input);
  }

  counts(): CountsByTask {
    return this.figures;
  }

  threads(): number {
    return this.size;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (let task = this.queue.take(); task; task = this.queue.take()) task.start();
    const pool = this.pool && (await this.pool);
    await pool?.destroy();
    this.size = 0;
  }

  /** Waits until a thread may be had. */
  private async turn(name: TaskName, caller: string, size: number): Promise<void> {
    const counts = this.figures[name];
    if (!this.closed && this.running < this.most) {
      this.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        counts.waiting -= 1;
        if (this.closed) return reject(this.refusal(name));
        resolve();
      };
      if (this.closed || !this.queue.add({ caller, size, start })) return reject(this.refusal(name));
      counts.waiting += 1;
    });
  }

  private refusal(name: TaskName): Problem {
    this.figures[name].ended.refused += 1;
    return new Problem(
      'unavailable',
      this.closed ? 'The server is stopping' : 'The server is busy; try again shortly',
      { retryAfter: 2, internal: name },
    );
  }

  /** Hands the thread to the next waiting task, without making it available to others in between. */
  private release(): void {
    const next = this.queue.take();
    if (next) next.start();
    else this.running -= 1;
  }

  private async inThread<Name extends TaskName>(name: Name, input: TaskInput<Name>): Promise<TaskOutput<Name>> {
    const counts = this.figures[name];
    const progress = newProgress();
    const { limitMs = tasks[name].limitMs, threadCpu = cpuOfThread, waits } = this.options;
    const limit = new TimeLimit(limitMs, progress, threadCpu, waits);
    const startedAt = performance.now();
    counts.running += 1;
    const end = (outcome: Outcome) => (counts.ended[outcome] += 1);
    try {
      const pool = await (this.pool ??= this.open());
      if (this.closed) throw this.refusal(name);
      const output: unknown = await pool.run({ name, input, progress } satisfies ThreadTask<Name>, {
        signal: limit.signal,
      });
      end('done');
      if (tasks[name].inPieces) return await joinPieces<TaskOutput<Name>>(output as Pieces);
      return (tasks[name].asJson ? JSON.parse(output as string) : output) as TaskOutput<Name>;
    } catch (error) {
      if (error instanceof Problem) throw error;
      if (this.closed) throw this.refusal(name);
      // A machine that leaves the thread no time says nothing about the task: it may be tried again.
      if (limit.reached === 'starved') throw this.refusal(name);
      if (limit.reached) end('timed_out');
      else if (isOutOfMemory(error)) end('out_of_memory');
      else end('failed');
      if (limit.reached) throw new TaskTooDear(name, 'time');
      throw isOutOfMemory(error) ? new TaskTooDear(name, 'memory') : error;
    } finally {
      limit.clear();
      counts.running -= 1;
      counts.seconds += (performance.now() - startedAt) / 1000;
      this.release();
    }
  }

  private async open(): Promise<Piscina> {
    const { Piscina } = await import('piscina');
    const { entry = new URL('./entry.js', import.meta.url), idleMs = 10_000, memoryMiB = 256 } = this.options;
    const pool = new Piscina({
      filename: entry.href,
      minThreads: 0,
      maxThreads: this.most,
      idleTimeout: idleMs,
      // The pool holds tasks of at most this many callers; the others wait in the fair queue here.
      maxQueue: this.most,
      resourceLimits: { maxOldGenerationSizeMb: memoryMiB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      recordTiming: false,
      // Where there are fewer cores than threads, the event loop comes first.
      niceIncrement: 5,
      // Threads hold no file and have no need of the program's environment, but for what they read of it (`entry.ts`).
      trackUnmanagedFds: false,
      env: process.env['LIMITS'] === undefined ? {} : { LIMITS: process.env['LIMITS'] },
    });
    pool.on('workerCreate', () => (this.size += 1));
    pool.on('workerDestroy', () => (this.size -= 1));
    // An error of a thread without a task; the pool replaces the thread.
    pool.on('error', () => undefined);
    return pool;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
