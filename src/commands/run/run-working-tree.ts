import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfigurationText } from '../../domain/pipelines/steps/configuration.js';
import type { BlockStep, PipelineDefinition } from '../../domain/pipelines/steps/step.js';
import { describeProblem, openPipelineFile, parsePipelineFile } from '../pipeline-file/read.js';
import { WrongUsage } from '../wrong-usage.js';
import { type AskBlock, answerWithDefaults, askOnTerminal, blockName } from './block-questions.js';
import type { Logger } from '../../services/services.js';
import type { BuildEnd } from './follow-build.js';
import type { FollowedBuild } from './followed-build.js';
import { localDefinition } from './local-definition.js';
import { duration, openScreen, type Screen, styled } from './progress.js';
import type { ServerAddress } from './server-calls.js';
import { findWorkingTree, type Snapshot, takeSnapshot } from './working-tree.js';

export interface RunOptions {
  pipeline?: string;
  step?: string;
  alone?: boolean;
  env: Record<string, string>;
  /** Values of secrets by their keys, for a build without a server. */
  secrets: Record<string, string>;
  jobs: number;
  unblockAll?: boolean;
  verbose?: boolean;
  /** A running server to build on; undefined for one in this process. */
  server?: ServerAddress | undefined;
  /** With a server: slug of the pipeline. */
  pipelineSlug?: string | undefined;
}

/** Seconds between SIGTERM and SIGKILL for the jobs of a canceled build. */
const cancelGracePeriod = 10;

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type Stop = keyof typeof exitCodes;

/**
 * Builds the working tree around the current folder and returns the exit code.
 * @throws WrongUsage where there is nothing to build
 */
export async function runWorkingTree(options: RunOptions): Promise<number> {
  const tree = await findWorkingTree(process.cwd());
  const file = openPipelineFile(options.pipeline, options.pipeline === undefined ? tree : process.cwd());
  const parsed = parsePipelineFile(file);
  if (!parsed.ok) {
    for (const problem of parsed.problems) process.stderr.write(`${describeProblem(file, problem)}\n`);
    return 1;
  }
  const selection = { step: options.step, alone: options.alone ?? false };
  const configurationFor = (queue: string | null) => localDefinition(file.text, parsed.definition, selection, queue);
  const configuration = configurationFor(null);
  const attended = process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (!attended && !options.unblockAll) refuseBlocks(configuration);

  const folder = mkdtempSync(join(tmpdir(), 'slipway-run-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', removeFolder);
  // Temporary files of agents and jobs go with it, also where nothing has the time to remove them.
  process.env['TMPDIR'] = folder;
  const stops = new Stops();
  try {
    return await buildIn(folder, stops, {
      ...options,
      configuration,
      configurationFor,
      attended,
      file: file.name,
      tree,
    });
  } finally {
    stops.close();
    process.off('exit', removeFolder);
    removeFolder();
  }
}

interface LocalRun extends RunOptions {
  configuration: string;
  configurationFor: (queue: string | null) => string;
  /** Whether somebody is there to ask. */
  attended: boolean;
  file: string;
  tree: string;
}

async function buildIn(folder: string, stops: Stops, options: LocalRun): Promise<number> {
  const started = Date.now();
  const screen = openScreen(process.stdout);
  const snapshot = await takeSnapshot(options.tree, folder);
  screen.write(styled(screen, 'dim', `${introduction(snapshot, options)}\n`));
  const [{ JobSlots }, { followBuild }, { createLog }] = await Promise.all([
    import('./job-slots.js'),
    import('./follow-build.js'),
    import('../../server/logging.js'),
  ]);
  const log = await createLog(process.env['LOG_LEVEL'] || 'fatal', process.stderr);
  const { attended } = options;
  const build = await startBuild(folder, snapshot, log, options);
  try {
    if (build.page !== null) screen.write(styled(screen, 'dim', `${build.page}\n`));
    const slots = new JobSlots({
      endpoint: build.endpoint,
      agentToken: build.agentToken,
      folder,
      count: options.jobs,
      cancelGracePeriod,
      repository: snapshot.repository,
      namesQueue: options.server !== undefined,
      log,
    });
    const cancel = async () => {
      screen.write(styled(screen, 'yellow', 'Canceling; once more ends at once.\n'));
      await build.cancel();
      slots.stop();
    };
    stops.onFirst(() => void cancel().catch(() => slots.stop()));
    process.once('exit', () => slots.kill());
    const end = await followBuild({
      build,
      slots,
      screen,
      ask: askBlocks(options, attended, stops),
      verbose: options.verbose ?? false,
      several: options.jobs > 1,
    });
    slots.stop();
    await slots.idle();
    screen.write(summary(screen, end, Date.now() - started));
    return exitCode(end, stops.first);
  } finally {
    await build.close();
  }
}

/** Creates the build: on a server in this process, or on the one that the user named. */
async function startBuild(folder: string, snapshot: Snapshot, log: Logger, options: LocalRun): Promise<FollowedBuild> {
  const { configuration, configurationFor, env, secrets, server, pipelineSlug, tree } = options;
  if (server === undefined) {
    const { startLocalBuild } = await import('./local-build.js');
    return startLocalBuild({ folder, snapshot, configuration, env, secrets, log });
  }
  const { startServerBuild } = await import('./server-build.js');
  return startServerBuild({ ...server, pipelineSlug, tree, snapshot, configurationFor, env });
}

function askBlocks({ unblockAll }: RunOptions, attended: boolean, stops: Stops): AskBlock | null {
  if (unblockAll) return answerWithDefaults;
  return attended ? askOnTerminal(stops.signal, () => stops.stop('SIGINT')) : null;
}

/** Refuses a pipeline that would wait for a person, before anything has run. */
function refuseBlocks(configuration: string): void {
  const result = parseConfigurationText(configuration);
  const blocks = result.ok ? blockSteps(result.definition) : [];
  const [first] = blocks;
  if (first)
    throw new WrongUsage(
      `the step "${blockName(first)}" waits for a person, and there is no terminal to ask on: add --unblock-all`,
    );
}

function blockSteps({ steps }: PipelineDefinition): BlockStep[] {
  return steps
    .flatMap((step) => (step.type === 'group' ? step.steps : [step]))
    .filter((step): step is BlockStep => (step.type === 'block' || step.type === 'input') && step.skip === false);
}

function introduction({ name, commit, branch, changedFiles }: Snapshot, { file }: LocalRun): string {
  const changes = changedFiles === 0 ? '' : ` with ${changedFiles} changed ${changedFiles === 1 ? 'file' : 'files'}`;
  return `Building ${name} (${branch} at ${commit.slice(0, 7)}${changes}) by ${file}`;
}

const outcomes = ['passed', 'failed', 'canceled', 'not run'] as const;

function outcomeOf({ state, passed }: BuildEnd['jobs'][number]): (typeof outcomes)[number] {
  if (state === 'finished') return passed ? 'passed' : 'failed';
  if (state === 'timed_out') return 'failed';
  return state === 'canceled' ? 'canceled' : 'not run';
}

function summary(screen: Screen, { state, jobs, refusal }: BuildEnd, milliseconds: number): string {
  const counted = jobs.filter(({ type, retried }) => (type === 'command' || type === 'trigger') && !retried);
  const counts = outcomes.flatMap((outcome) => {
    const number = counted.filter((job) => outcomeOf(job) === outcome).length;
    return number === 0 ? [] : [`${number} ${outcome}`];
  });
  const reason = refusal === null ? '' : `: ${refusal}`;
  const style = state === 'passed' ? 'green' : 'red';
  const text = `Build ${state.replace('_', ' ')}${reason} (${[...counts, duration(milliseconds)].join(', ')})`;
  return `${styled(screen, style, text)}\n`;
}

function exitCode({ state, jobs }: BuildEnd, stop: Stop | null): number {
  if (stop !== null) return exitCodes[stop];
  if (state === 'passed') return 0;
  const failed = jobs
    .filter(
      (job) => job.type === 'command' && job.state === 'finished' && !job.passed && !job.softFailed && !job.retried,
    )
    .sort((a, b) => Number(a.finishedAt) - Number(b.finishedAt))[0];
  const status = failed?.exitStatus ?? 1;
  return status > 0 && status < 256 ? status : 1;
}

/** The stop signals of this process: the first cancels the build, one before it began or a second ends the process. */
class Stops {
  first: Stop | null = null;
  private readonly stopping = new AbortController();
  private cancel: (() => void) | null = null;

  constructor() {
    process.on('SIGINT', this.stop).on('SIGTERM', this.stop);
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  onFirst(cancel: () => void): void {
    this.cancel = cancel;
  }

  readonly stop = (signal: Stop): void => {
    if (this.first !== null || this.cancel === null) process.exit(exitCodes[signal]);
    this.first = signal;
    this.stopping.abort();
    this.cancel();
  };

  close(): void {
    process.off('SIGINT', this.stop).off('SIGTERM', this.stop);
  }
}
