import { Command } from 'commander';

import { AgentHttpError, segment } from '../http.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import { jobOption, redactedVarsOption, serverCommand, valueOption } from './command-options.js';
import { redactText } from './redacted-text.js';
import { required, ServerCalls, textOf, type ServerOptions } from './server-calls.js';

interface MetaDataOptions extends ServerOptions {
  job?: string;
  build?: string;
  default?: string;
  redactedVars?: string;
}

const absent = 100;

/** `buildkite-agent meta-data`: reads and writes the build's meta-data. */
export function metaDataCommand(io: CommandIo): Command {
  const buildOption = () =>
    valueOption(io, '--build <id>', 'read from this build instead', 'BUILDKITE_METADATA_BUILD_ID');
  const set = serverCommand(io, 'set', 'Set a value; without one it is read from standard input.')
    .argument('<key>')
    .argument('[value]')
    .addOption(jobOption(io))
    .addOption(redactedVarsOption(io))
    .action(async (key: string, value: string | undefined, options: MetaDataOptions) => {
      const written = value ?? (await io.readStdin());
      if (key.trim() === '') throw new CommandFailure('The key must not be blank.');
      if (written.trim() === '') throw new CommandFailure('The value must not be blank.');
      await new ServerCalls(io, options).exchange('metaDataSet', 'POST', `${jobPath(options)}/data/set`, {
        json: { key, value: redactText(io, options.redactedVars, written) },
      });
    });
  const setBatch = serverCommand(io, 'set-batch', 'Set several values, all or none.')
    .argument('<key=value...>')
    .addOption(jobOption(io))
    .addOption(redactedVarsOption(io))
    .action(async (pairs: string[], options: MetaDataOptions) => {
      const items = pairs.map((pair) => {
        const { key, value } = keyAndValue(pair);
        return { key, value: redactText(io, options.redactedVars, value) };
      });
      await new ServerCalls(io, options).exchange('metaDataSet', 'POST', `${jobPath(options)}/data/set-batch`, {
        json: { items },
      });
    });
  const get = serverCommand(io, 'get', 'Print a value.')
    .argument('<key>')
    .option('--default <value>', 'what to print where there is no such key')
    .addOption(jobOption(io))
    .addOption(buildOption())
    .action(async (key: string, options: MetaDataOptions) => {
      try {
        const path = `${scopePath(options)}/data/get`;
        io.out(`${textOf(await new ServerCalls(io, options).call('metaDataGet', 'POST', path, { key }), 'value')}\n`);
      } catch (error) {
        if (!(error instanceof AgentHttpError && error.status === 404 && options.default !== undefined)) throw error;
        io.err(`warning: there is no meta-data with the key "${key}"; printing the default\n`);
        io.out(`${options.default}\n`);
      }
    });
  const exists = serverCommand(io, 'exists', `Exit with 0 where there is such a key, with ${absent} where not.`)
    .argument('<key>')
    .addOption(jobOption(io))
    .addOption(buildOption())
    .action(async (key: string, options: MetaDataOptions) => {
      const path = `${scopePath(options)}/data/exists`;
      const reply = await new ServerCalls(io, options).call('metaDataExists', 'POST', path, { key });
      if (reply['exists'] !== true) throw new CommandFailure('', absent);
    });
  const keys = serverCommand(io, 'keys', 'Print all keys, one a line.')
    .addOption(jobOption(io))
    .addOption(buildOption())
    .action(async (options: MetaDataOptions) => {
      const path = `${scopePath(options)}/data/keys`;
      const names = await new ServerCalls(io, options).callForJson('metaDataGet', 'POST', path);
      if (!Array.isArray(names)) throw new AgentHttpError('the answer is not a list of keys', 'body');
      for (const name of names) io.out(`${String(name)}\n`);
    });
  return [set, setBatch, get, exists, keys].reduce(
    (group, command) => group.addCommand(command),
    new Command('meta-data').description("The build's meta-data."),
  );
}

function jobPath(options: MetaDataOptions): string {
  return `jobs/${segment(required(options.job, 'job', 'BUILDKITE_JOB_ID'))}`;
}

function scopePath(options: MetaDataOptions): string {
  return options.build ? `builds/${segment(options.build)}` : jobPath(options);
}

function keyAndValue(pair: string): { key: string; value: string } {
  const at = pair.indexOf('=');
  const [key, value] = [pair.slice(0, at), pair.slice(at + 1)];
  if (at < 0 || key.trim() === '' || value.trim() === '')
    throw new CommandFailure(`"${pair}" is not key=value with a key and a value that are not blank.`);
  return { key, value };
}
