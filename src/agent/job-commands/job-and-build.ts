import { Command } from 'commander';

import { segment } from '../http.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import {
  buildOption,
  jobOption,
  redactedVarsOption,
  serverCommand,
  valueOption,
  wholeNumber,
} from './command-options.js';
import { redactText } from './redacted-text.js';
import { required, ServerCalls, textOf, type ServerOptions } from './server-calls.js';

interface JobOptions extends ServerOptions {
  job?: string;
  build?: string;
  reason?: string;
  redactedVars?: string;
}

/** `buildkite-agent job`: changes the running job. */
export function jobCommand(io: CommandIo): Command {
  const update = serverCommand(io, 'update', 'Change an attribute, such as timeout, in minutes.')
    .argument('<attribute>')
    .argument('[value]', 'default: standard input')
    .addOption(jobOption(io))
    .addOption(redactedVarsOption(io))
    .action(async (attribute: string, value: string | undefined, options: JobOptions) => {
      const written = redactText(io, options.redactedVars, value ?? (await io.readStdin()));
      await new ServerCalls(io, options).call('jobUpdate', 'PUT', jobPath(options), { [attribute]: written.trim() });
    });
  const promiseFailure = serverCommand(io, 'promise-failure', 'Say that this job will fail, before it ends.')
    .argument('<exit status>', 'from 1', wholeNumber)
    .option('--reason <text>', 'why')
    .addOption(jobOption(io))
    .action(async (exitStatus: number, options: JobOptions) => {
      if (exitStatus < 1) throw new CommandFailure('The exit status must be at least 1.');
      await new ServerCalls(io, options).exchange('jobUpdate', 'PUT', `${jobPath(options)}/promise_failure`, {
        json: { exit_status: exitStatus, reason: options.reason },
      });
    });
  return new Command('job').description('The running job.').addCommand(update).addCommand(promiseFailure);
}

/** `buildkite-agent build cancel`. */
export function buildCommand(io: CommandIo): Command {
  const cancel = serverCommand(io, 'cancel', 'Cancel the build.')
    .addOption(buildOption(io))
    .action(async (options: JobOptions) => {
      const build = required(options.build, 'build', 'BUILDKITE_BUILD_ID');
      const path = `builds/${segment(build)}/cancel`;
      const reply = await new ServerCalls(io, options).call('buildCancel', 'POST', path);
      io.err(`Canceled build ${textOf(reply, 'uuid')}\n`);
    });
  return new Command('build').description('The running build.').addCommand(cancel);
}

function jobPath(options: JobOptions): string {
  return `jobs/${segment(required(options.job, 'job', 'BUILDKITE_JOB_ID'))}`;
}

interface AgentControlOptions extends ServerOptions {
  force?: boolean;
  note?: string;
  timeoutInMinutes?: string;
}

/** `buildkite-agent stop`, `pause` and `resume`: control the agent that runs the job. */
export function agentControlCommands(io: CommandIo): Command[] {
  const control = async (action: string, options: AgentControlOptions, json?: object): Promise<void> => {
    await new ServerCalls(io, options).exchange('agentControl', 'POST', action, { json });
  };
  return [
    serverCommand(io, 'stop', 'Stop the agent of this job, once the job has ended.')
      .option('--force', 'cancel the job too')
      .action((options: AgentControlOptions) => control('stop', options, options.force ? { force: true } : {})),
    serverCommand(io, 'pause', 'Let the agent of this job take no other one until it is resumed or the time is over.')
      .addOption(valueOption(io, '--note <text>', 'why', 'BUILDKITE_AGENT_PAUSE_NOTE'))
      .addOption(valueOption(io, '--timeout-in-minutes <minutes>', 'how long', 'BUILDKITE_AGENT_PAUSE_TIMEOUT_MINUTES'))
      .action((options: AgentControlOptions) =>
        control('pause', options, { note: options.note, timeout_in_minutes: minutes(options.timeoutInMinutes) }),
      ),
    serverCommand(io, 'resume', 'Let the agent of this job take jobs again.').action((options: AgentControlOptions) =>
      control('resume', options),
    ),
  ];
}

/** The minutes of an option or its variable; throws CommandFailure for what is no whole number. */
function minutes(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw new CommandFailure('--timeout-in-minutes must be a whole number.');
  return Number(value);
}
