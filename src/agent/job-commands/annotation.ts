import { Command } from 'commander';

import { segment } from '../http.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import {
  jobOption,
  redactedVarsOption,
  serverCommand,
  switchOption,
  valueOption,
  wholeNumber,
} from './command-options.js';
import { redactText } from './redacted-text.js';
import { required, ServerCalls, type ServerOptions } from './server-calls.js';

interface AnnotateOptions extends ServerOptions {
  job?: string;
  context?: string;
  style?: string;
  append: boolean;
  priority: number;
  scope: string;
  redactedVars?: string;
}

const maxBodyBytes = 1024 * 1024;

/** `buildkite-agent annotate`: writes an annotation of the build. */
export function annotateCommand(io: CommandIo): Command {
  return serverCommand(io, 'annotate', 'Annotate the build; without a body it is read from standard input.')
    .argument('[body]')
    .addOption(valueOption(io, '--context <name>', 'name of the annotation', 'BUILDKITE_ANNOTATION_CONTEXT'))
    .addOption(valueOption(io, '--style <style>', 'success, info, warning or error', 'BUILDKITE_ANNOTATION_STYLE'))
    .addOption(switchOption(io, '--append', 'add to an existing annotation', 'BUILDKITE_ANNOTATION_APPEND'))
    .addOption(
      valueOption(io, '--priority <number>', 'from 1 to 10', 'BUILDKITE_ANNOTATION_PRIORITY', '3').argParser(
        wholeNumber,
      ),
    )
    .addOption(valueOption(io, '--scope <scope>', 'build or job', 'BUILDKITE_ANNOTATION_SCOPE', 'build'))
    .addOption(jobOption(io))
    .addOption(redactedVarsOption(io))
    .action(async (body: string | undefined, options: AnnotateOptions) => {
      const text = body ?? (io.stdinIsReadable ? await io.readStdin() : '');
      if (text === '' && options.style === undefined)
        throw new CommandFailure('The annotation has no body: give it as an argument or by standard input.');
      if (Buffer.byteLength(text) > maxBodyBytes)
        throw new CommandFailure(`The body is larger than ${maxBodyBytes} bytes.`);
      const job = required(options.job, 'job', 'BUILDKITE_JOB_ID');
      await new ServerCalls(io, options).exchange('annotate', 'POST', `jobs/${segment(job)}/annotations`, {
        json: {
          body: redactText(io, options.redactedVars, text) || undefined,
          context: options.context || undefined,
          style: options.style || undefined,
          append: options.append || undefined,
          priority: Number(options.priority),
          scope: options.scope,
        },
      });
    });
}

/** `buildkite-agent annotation remove`. */
export function annotationCommand(io: CommandIo): Command {
  const remove = serverCommand(io, 'remove', 'Remove an annotation of the build.')
    .addOption(valueOption(io, '--context <name>', 'name of the annotation', 'BUILDKITE_ANNOTATION_CONTEXT', 'default'))
    .addOption(valueOption(io, '--scope <scope>', 'build or job', 'BUILDKITE_ANNOTATION_SCOPE', 'build'))
    .addOption(jobOption(io))
    .action(async (options: AnnotateOptions) => {
      const job = required(options.job, 'job', 'BUILDKITE_JOB_ID');
      const query = `scope=${encodeURIComponent(options.scope)}`;
      const path = `jobs/${segment(job)}/annotations/${segment(options.context ?? 'default')}?${query}`;
      await new ServerCalls(io, options).exchange('annotate', 'DELETE', path);
    });
  return new Command('annotation').description('Annotations of the build.').addCommand(remove);
}
