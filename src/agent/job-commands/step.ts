import { randomUUID } from 'node:crypto';
import { Command, type Option } from 'commander';

import { segment } from '../http.js';
import type { CommandIo } from './command-io.js';
import {
  buildOption,
  redactedVarsOption,
  serverCommand,
  switchOption,
  valueOption,
  wholeNumber,
} from './command-options.js';
import { redactText } from './redacted-text.js';
import { required, ServerCalls, textOf, type ServerOptions } from './server-calls.js';

interface StepOptions extends ServerOptions {
  step?: string;
  build?: string;
  format?: string;
  append: boolean;
  force: boolean;
  forceGracePeriodSeconds: number;
  redactedVars?: string;
}

/** `buildkite-agent step`: reads, changes and cancels steps of the build. */
export function stepCommand(io: CommandIo): Command {
  const stepOption = (): Option =>
    valueOption(io, '--step <id or key>', 'the step; default the current one', 'BUILDKITE_STEP_ID');
  const get = serverCommand(io, 'get', 'Print an attribute of a step, or the whole step.')
    .argument('[attribute]')
    .addOption(stepOption())
    .addOption(buildOption(io))
    .addOption(valueOption(io, '--format <format>', 'json', 'BUILDKITE_STEP_GET_FORMAT'))
    .action(async (attribute: string | undefined, options: StepOptions) => {
      const json = { attribute, build_id: options.build, format: options.format };
      io.out(
        `${textOf(await new ServerCalls(io, options).call('step', 'POST', `${path(options)}/export`, json), 'output')}\n`,
      );
    });
  const update = serverCommand(io, 'update', 'Change an attribute; without a value it is read from standard input.')
    .argument('<attribute>')
    .argument('[value]')
    .addOption(switchOption(io, '--append', 'add to the present value', 'BUILDKITE_STEP_UPDATE_APPEND'))
    .addOption(stepOption())
    .addOption(buildOption(io))
    .addOption(redactedVarsOption(io))
    .action(async (attribute: string, value: string | undefined, options: StepOptions) => {
      const written = redactText(io, options.redactedVars, value ?? (await io.readStdin()));
      await new ServerCalls(io, options).exchange('step', 'PUT', path(options), {
        json: {
          // One for all attempts: a repeated append must not append twice.
          idempotency_uuid: randomUUID(),
          build_id: options.build,
          attribute,
          value: written || undefined,
          append: options.append || undefined,
        },
      });
    });
  const cancel = serverCommand(io, 'cancel', 'Cancel the unfinished jobs of a step.')
    .addOption(stepOption())
    .addOption(buildOption(io))
    .addOption(switchOption(io, '--force', 'do not wait for the agent', 'BUILDKITE_STEP_CANCEL_FORCE'))
    .addOption(
      valueOption(
        io,
        '--force-grace-period-seconds <seconds>',
        'how long agents have to end the jobs before they are canceled by force',
        'BUILDKITE_STEP_CANCEL_FORCE_GRACE_PERIOD_SECONDS',
        '15',
      ).argParser(wholeNumber),
    )
    .action(async (options: StepOptions) => {
      const json = {
        build_id: options.build,
        force: options.force,
        force_grace_period: Number(options.forceGracePeriodSeconds),
      };
      const reply = await new ServerCalls(io, options).call('step', 'POST', `${path(options)}/cancel`, json);
      io.err(`Canceled step ${textOf(reply, 'uuid')}\n`);
    });
  return [get, update, cancel].reduce(
    (group, command) => group.addCommand(command),
    new Command('step').description('Steps of the build.'),
  );
}

function path(options: StepOptions): string {
  return `steps/${segment(required(options.step, 'step', 'BUILDKITE_STEP_ID'))}`;
}
