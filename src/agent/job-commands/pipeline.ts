import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { Command } from 'commander';

import type { PipelineDocument } from '../pipeline-upload/pipeline-text.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import { isTrue, jobOption, redactedVarsOption, serverCommand, switchOption, valueOption } from './command-options.js';
import { namedSecrets } from './redacted-text.js';
import { required, ServerCalls, type ServerOptions } from './server-calls.js';

interface UploadOptions extends ServerOptions {
  replace: boolean;
  job?: string;
  dryRun: boolean;
  format: string;
  interpolation: boolean;
  rejectSecrets: boolean;
  redactedVars?: string;
  applyIfChanged: boolean;
  gitDiffBase: string;
  fetchDiffBase: boolean;
  changedFilesPath?: string;
  jwksFile?: string;
  jwksKeyId?: string;
}

/** `buildkite-agent pipeline upload`: adds steps to the running build, after the job that uploads them. */
export function pipelineCommand(io: CommandIo): Command {
  const upload = serverCommand(
    io,
    'upload',
    'Add the steps of files, of standard input or of .buildkite/pipeline.yml to the build.',
  )
    .argument('[file...]')
    .addOption(
      switchOption(io, '--replace', 'remove the steps that have not started first', 'BUILDKITE_PIPELINE_REPLACE'),
    )
    .addOption(jobOption(io))
    .addOption(
      switchOption(io, '--dry-run', 'print the pipeline instead of uploading it', 'BUILDKITE_PIPELINE_UPLOAD_DRY_RUN'),
    )
    .addOption(
      valueOption(
        io,
        '--format <format>',
        'of a dry run: json or yaml',
        'BUILDKITE_PIPELINE_UPLOAD_DRY_RUN_FORMAT',
        'json',
      ),
    )
    .option(
      '--no-interpolation',
      'leave variables as they are ($BUILDKITE_PIPELINE_NO_INTERPOLATION)',
      !isTrue(io.env['BUILDKITE_PIPELINE_NO_INTERPOLATION']),
    )
    .addOption(
      switchOption(
        io,
        '--reject-secrets',
        'refuse a pipeline that holds the value of a secret variable',
        'BUILDKITE_AGENT_PIPELINE_UPLOAD_REJECT_SECRETS',
      ),
    )
    .addOption(redactedVarsOption(io))
    .option('--apply-if-changed', 'skip steps whose if_changed matches no changed file', isTrue(ifChangedVariable(io)))
    .option('--no-apply-if-changed', 'run steps whatever their if_changed ($BUILDKITE_AGENT_APPLY_IF_CHANGED)')
    .addOption(
      valueOption(
        io,
        '--git-diff-base <revision>',
        'what changed files are compared with',
        'BUILDKITE_GIT_DIFF_BASE',
        defaultDiffBase(io),
      ),
    )
    .addOption(switchOption(io, '--fetch-diff-base', 'fetch the revision first', 'BUILDKITE_FETCH_DIFF_BASE'))
    .addOption(
      valueOption(
        io,
        '--changed-files-path <file>',
        'file with the changed files, one a line, in place of git',
        'BUILDKITE_CHANGED_FILES_PATH',
      ),
    )
    .addOption(valueOption(io, '--jwks-file <path>', 'keys with which steps are signed', 'BUILDKITE_AGENT_JWKS_FILE'))
    .addOption(
      valueOption(io, '--jwks-key-id <id>', 'the key, where the file holds several', 'BUILDKITE_AGENT_JWKS_KEY_ID'),
    )
    .action((files: string[], options: UploadOptions) => runUpload(io, files, options));
  return new Command('pipeline').description('The pipeline of the running build.').addCommand(upload);
}

async function runUpload(io: CommandIo, files: readonly string[], options: UploadOptions): Promise<void> {
  if (!['json', 'yaml'].includes(options.format))
    throw new CommandFailure(`Unknown format "${options.format}": it must be json or yaml.`);
  const { readPipelines } = await import('../pipeline-upload/pipeline-text.js');
  const { interpolatePipeline } = await import('../pipeline-upload/interpolate-pipeline.js');
  const { uploadPipeline } = await import('../pipeline-upload/upload-pipeline.js');
  const environment = definedVariables(io.env);
  if (options.interpolation) await resolveCommit(io, environment);

  const withoutConditions = await ifChangedDecider(io, options);
  const signed = await signer(io, options);

  // Every source is read and checked before the first upload, so that a bad one leaves nothing half done.
  const pipelines: { name: string; pipeline: PipelineDocument }[] = [];
  for (const { name, text } of await sources(io, files)) {
    const written = readPipelines(text);
    const interpolated = options.interpolation
      ? written.map((pipeline) => interpolatePipeline(pipeline, environment))
      : written;
    for (const pipeline of interpolated) {
      reportSecrets(io, options, name, pipeline);
      pipelines.push({ name, pipeline: await signed(await withoutConditions(pipeline)) });
    }
  }
  if (options.dryRun) {
    for (const { pipeline } of pipelines) io.out(await dryRunText(pipeline, options.format));
    return;
  }
  const jobId = required(options.job, 'job', 'BUILDKITE_JOB_ID');
  const calls = new ServerCalls(io, options);
  for (const [index, { name, pipeline }] of pipelines.entries()) {
    await uploadPipeline(calls, { jobId, pipeline, replace: options.replace, retryScale: io.retryScale });
    io.err(`Uploaded pipeline ${index + 1} of ${pipelines.length} from ${name}\n`);
  }
}

/** Returns a function that signs the steps of pipelines, or leaves them as they are where no key is given. */
async function signer(
  io: CommandIo,
  { jwksFile, jwksKeyId }: UploadOptions,
): Promise<(pipeline: PipelineDocument) => Promise<PipelineDocument>> {
  if (!jwksFile) return async (pipeline) => pipeline;
  const repositoryUrl = io.env['BUILDKITE_REPO'];
  if (!repositoryUrl) throw new CommandFailure('Steps are signed for a repository: set BUILDKITE_REPO.');
  const { chooseKey, readKeySet } = await import('../signing/key-set.js');
  const { signPipeline } = await import('../signing/sign-pipeline.js');
  const key = chooseKey(await readKeySet(resolve(io.cwd, jwksFile)), jwksKeyId);
  return (pipeline) => signPipeline(pipeline, key, repositoryUrl);
}

/** Returns a function that decides `if_changed` in pipelines; git is asked once for all of them. */
async function ifChangedDecider(
  io: CommandIo,
  options: UploadOptions,
): Promise<(pipeline: PipelineDocument) => Promise<PipelineDocument>> {
  const warn = (message: string): void => io.err(`warning: ${message}\n`);
  let files: Promise<string[] | undefined> | undefined;
  const changed = async (): Promise<string[] | undefined> => {
    if (!options.applyIfChanged) return undefined;
    const { changedFiles } = await import('../pipeline-upload/changed-files.js');
    return (files ??= changedFiles({
      folder: io.cwd,
      base: options.gitDiffBase,
      fetch: options.fetchDiffBase,
      file: options.changedFilesPath,
      log: warn,
    }));
  };
  return async (pipeline) => {
    // Most pipelines have no condition.
    if (!JSON.stringify(pipeline).includes('"if_changed"')) return pipeline;
    const { applyIfChanged } = await import('../pipeline-upload/if-changed.js');
    return applyIfChanged(pipeline, changed, warn);
  };
}

function ifChangedVariable({ env }: CommandIo): string {
  return env['BUILDKITE_AGENT_APPLY_IF_CHANGED'] || env['BUILDKITE_AGENT_APPLY_SKIP_IF_UNCHANGED'] || 'true';
}

function defaultDiffBase({ env }: CommandIo): string {
  const branch = env['BUILDKITE_PULL_REQUEST_BASE_BRANCH'] || env['BUILDKITE_PIPELINE_DEFAULT_BRANCH'] || 'main';
  return `origin/${branch}`;
}

async function sources(io: CommandIo, files: readonly string[]): Promise<{ name: string; text: string }[]> {
  if (files.length === 0 && io.stdinIsReadable) return [{ name: 'standard input', text: await io.readStdin() }];
  const { findPipeline } = await import('../pipeline-upload/find-pipeline.js');
  const names = files.length > 0 ? files : [findPipeline(io.cwd)];
  return Promise.all(
    names.map(async (name) => {
      try {
        return { name, text: await readFile(resolve(io.cwd, name), 'utf8') };
      } catch (error) {
        throw new CommandFailure(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
      }
    }),
  );
}

/** Sets `BUILDKITE_COMMIT`, which may be a name such as HEAD, to the full name of the commit, where git knows it. */
async function resolveCommit(io: CommandIo, environment: Record<string, string>): Promise<void> {
  const commit = environment['BUILDKITE_COMMIT'];
  if (!commit || /^[0-9a-f]{40,64}$/.test(commit)) return;
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', '--verify', '--end-of-options', commit], {
      cwd: io.cwd,
    });
    environment['BUILDKITE_COMMIT'] = stdout.trim();
  } catch {
    io.err(`warning: git does not know the commit ${commit}\n`);
  }
}

/** Warns about values of secret variables in a pipeline that is about to leave the machine, or refuses it. */
function reportSecrets(io: CommandIo, options: UploadOptions, name: string, pipeline: PipelineDocument): void {
  const text = JSON.stringify(pipeline);
  const names = namedSecrets(io.env, options.redactedVars)
    .filter(({ value }) => text.includes(JSON.stringify(value).slice(1, -1)))
    .map((variable) => variable.name);
  if (names.length === 0) return;
  const message = `the pipeline of ${name} holds the values of secret variables: ${names.sort().join(', ')}`;
  if (options.rejectSecrets) throw new CommandFailure(`${message}; it is not uploaded`);
  io.err(`warning: ${message}; use $$ in front of the name to have it replaced when the job runs\n`);
}

async function dryRunText(pipeline: PipelineDocument, format: string): Promise<string> {
  if (format === 'json') return `${JSON.stringify(pipeline, null, 2)}\n`;
  const { stringify } = await import('yaml');
  return stringify(pipeline, { aliasDuplicateObjects: false });
}

function definedVariables(env: CommandIo['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
