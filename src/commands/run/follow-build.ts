import { setTimeout as sleep } from 'node:timers/promises';
import { finishedBuildStates } from '../../domain/builds/build-state.js';
import { isTerminal } from '../../domain/builds/job-state.js';
import { Problem } from '../../domain/problem.js';
import type { BlockStep, Json } from '../../domain/pipelines/steps/step.js';
import type { BuildRow } from '../../entities/database.js';
import { type AskBlock, blockName, UnansweredField } from './block-questions.js';
import type { JobSlots } from './job-slots.js';
import type { FollowedBuild, FollowedJob } from './followed-build.js';
import { duration, LogPrinter, type Screen, styled } from './progress.js';
import { firstLine } from '../../domain/first-line.js';

export interface FollowOptions {
  build: FollowedBuild;
  slots: JobSlots;
  screen: Screen;
  /** Answers block steps; null where nobody is there to ask. */
  ask: AskBlock | null;
  /** Shows what jobs do before their command, too. */
  verbose: boolean;
  /** Whether logs of several jobs may come at once, so that each line needs the name of its job. */
  several: boolean;
}

export interface BuildEnd {
  state: BuildRow['state'];
  jobs: FollowedJob[];
  /** Why the build was canceled here, rather than by its user. */
  refusal: string | null;
}

/** Runs the jobs of a build as they become ready and prints their progress, until the build has ended. */
export async function followBuild(options: FollowOptions): Promise<BuildEnd> {
  const { build, slots } = options;
  const watched = new Map<string, WatchedJob>();
  let refusal: string | null = null;
  for (;;) {
    const now = await build.read();
    // The build may have ended between the reads of its jobs and of its state: then they are read once more.
    const over = finishedBuildStates.includes(now.state) && !now.jobs.some(isUnderway);
    for (const job of now.jobs) {
      const known = watched.get(job.id) ?? new WatchedJob(options, job);
      watched.set(job.id, known);
      await known.update(job);
    }
    slots.fill(now.jobs.filter((job) => build.isOurs(job)));
    if (over) return { state: now.state, jobs: now.jobs, refusal };
    const block = now.jobs.find(({ type, state }) => (type === 'block' || type === 'input') && state === 'blocked');
    if (block && refusal === null && !now.jobs.some(isUnderway)) refusal = await release(options, block);
    await Promise.race([sleep(build.everyMs), slots.failed]);
  }
}

const isUnderway = ({ type, state }: FollowedJob) =>
  type === 'command' && /^(scheduled|limit|reserved|assigned|accepted|running|canceling|timing_out)/.test(state);

/** Unblocks a step, or cancels the build and returns why. */
async function release({ build, ask, screen }: FollowOptions, job: FollowedJob): Promise<string | null> {
  const step = job.definition as BlockStep;
  const stop = async (reason: string) => {
    await build.cancel();
    return reason;
  };
  if (ask === null)
    return stop(`the step "${blockName(step)}" waits for a person: add --unblock-all, or run it on a terminal`);
  for (;;) {
    try {
      const fields = await ask(step);
      if (fields === null) return await stop(`the step "${blockName(step)}" was not unblocked`);
      await build.unblock(job, fields);
      screen.write(styled(screen, 'dim', `⏵ ${blockName(step)} unblocked\n`));
      return null;
    } catch (error) {
      if (error instanceof UnansweredField) return stop(error.message);
      if (!(error instanceof Problem) || error.code !== 'invalid') throw error;
      const problems = (error.details.fields ?? []).map(({ field, code }) => `${field} ${code}`).join(', ');
      if (!process.stdin.isTTY) return stop(`the step "${blockName(step)}" cannot be unblocked: ${problems}`);
      screen.write(`${problems}\n`);
    }
  }
}

/** Name of a job for its reader, with what tells it from the others of its step. */
export function jobName(job: FollowedJob): string {
  const { label, command, definition, type, parallelGroupIndex: index, parallelGroupTotal: total } = job;
  const { key } = definition as { key?: string | null };
  const first = firstLine(command);
  const name = label ?? key ?? (first === '' ? type : first.slice(0, 60));
  // Labels may have the values already.
  const values = matrixValues(job.matrix).filter((value) => !name.includes(value));
  const place = index !== null && total !== null && total > 1 ? ` ${index + 1}/${total}` : '';
  return `${name}${values.length > 0 ? ` (${values.join(', ')})` : ''}${place}`;
}

const matrixValues = (matrix: Json): string[] =>
  matrix === null ? [] : (typeof matrix === 'object' ? Object.values(matrix) : [matrix]).map(String);

/** One job as far as it was printed. */
class WatchedJob {
  private readonly log: LogPrinter;
  private started = false;
  private ended = false;

  constructor(
    private readonly options: FollowOptions,
    job: FollowedJob,
  ) {
    const { screen, several, verbose } = options;
    this.log = new LogPrinter(screen, { prefix: several ? styled(screen, 'dim', `${jobName(job)} │ `) : '', verbose });
  }

  async update(job: FollowedJob): Promise<void> {
    if (this.ended || (job.type !== 'command' && job.type !== 'trigger')) return;
    const { screen, build } = this.options;
    if (!this.started && job.startedAt !== null) {
      this.started = true;
      screen.write(styled(screen, 'bold', `▶ ${jobName(job)}\n`));
    }
    const ended = isTerminal(job.state);
    if (
      job.type === 'command' &&
      (job.logSize === null ? job.startedAt !== null : job.logSize > this.log.size || ended)
    )
      for await (const bytes of build.readLog(job, this.log.size)) this.log.push(bytes);
    if (!ended) return;
    this.ended = true;
    this.log.end();
    screen.write(this.ending(job));
  }

  private ending(job: FollowedJob): string {
    const { screen } = this.options;
    const line = (style: 'green' | 'red' | 'yellow' | 'dim', text: string) => `${styled(screen, style, text)}\n`;
    const took = job.startedAt && job.finishedAt ? ` in ${duration(+job.finishedAt - +job.startedAt)}` : '';
    const name = jobName(job);
    if (job.state === 'finished' && job.passed) return line('green', `✔ ${name} passed${took}`);
    if (job.state === 'finished') {
      const status = job.exitStatus === null ? '' : ` with exit status ${job.exitStatus}`;
      const then = [job.retried ? ', retried' : '', job.softFailed ? ', which may fail' : ''].join('');
      return line(job.softFailed || job.retried ? 'yellow' : 'red', `✖ ${name} failed${status}${took}${then}`);
    }
    if (job.state === 'broken' || job.state === 'skipped')
      return line('dim', `– ${name} not run${brokenWords(job.brokenReason)}`);
    return line('yellow', `✖ ${name} ${job.state.replace('_', ' ')}${took}`);
  }
}

const brokenReasons: Record<string, string> = {
  branch_mismatch: 'its "branches" leave this branch out',
  conditional_failed: 'its "if" does not hold',
  parallelism_zero: 'its parallelism is 0',
  skipped: 'skipped',
  dependency_failed: 'a step before it failed',
};

const brokenWords = (reason: string | null) => (reason === null ? '' : `: ${brokenReasons[reason] ?? reason}`);
