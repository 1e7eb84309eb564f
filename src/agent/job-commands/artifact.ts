import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';

import { AgentHttpError, segment } from '../http.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import { buildOption, jobOption, serverCommand, switchOption, valueOption } from './command-options.js';
import { required, ServerCalls, type ServerOptions } from './server-calls.js';

interface UploadOptions extends ServerOptions {
  job?: string;
  contentType?: string;
  literal: boolean;
  delimiter: string;
  globResolveFollowSymlinks: boolean;
}

interface SearchOptions extends ServerOptions {
  build?: string;
  step?: string;
  includeRetriedJobs: boolean;
  allowEmptyResults?: boolean;
  format: string;
  sha256?: boolean;
}

interface FoundArtifact {
  id: string;
  job_id: string;
  path: string;
  file_size: number;
  sha1sum: string;
  sha256sum: string;
  url: string;
  created_at: string;
}

/** Files on their way at once. */
const atOnce = 8;

/** `buildkite-agent artifact`: files that jobs of a build leave for others. */
export function artifactCommand(io: CommandIo): Command {
  return new Command('artifact')
    .description('Artifacts of the build.')
    .addCommand(uploadCommand(io))
    .addCommand(downloadCommand(io))
    .addCommand(searchCommand(io))
    .addCommand(shasumCommand(io));
}

function uploadCommand(io: CommandIo): Command {
  return serverCommand(io, 'upload', 'Upload files.')
    .argument('<paths>', 'patterns with ; between')
    .argument('[destination]')
    .addOption(jobOption(io))
    .addOption(valueOption(io, '--content-type <type>', 'media type of all files', 'BUILDKITE_ARTIFACT_CONTENT_TYPE'))
    .addOption(switchOption(io, '--literal', 'paths are names, not patterns', 'BUILDKITE_AGENT_ARTIFACT_LITERAL'))
    .addOption(
      valueOption(
        io,
        '--delimiter <text>',
        'text between patterns; empty: none',
        'BUILDKITE_AGENT_ARTIFACT_DELIMITER',
        ';',
      ),
    )
    .addOption(
      switchOption(
        io,
        '--glob-resolve-follow-symlinks',
        'patterns follow symbolic links',
        'BUILDKITE_AGENT_ARTIFACT_GLOB_RESOLVE_FOLLOW_SYMLINKS',
      ),
    )
    .option('--upload-skip-symlinks', 'accepted: patterns pass over symbolic links anyway')
    .option('--no-multipart-artifact-upload', 'accepted, without effect')
    .option('--concurrency <count>', 'accepted, without effect')
    .action(async (paths: string, destination: string | undefined, options: UploadOptions) => {
      if (destination)
        throw new CommandFailure(`Artifacts are stored at the server only; "${destination}" is not supported.`);
      const jobId = required(options.job, 'job', 'BUILDKITE_JOB_ID');
      const calls = new ServerCalls(io, options);
      const { JobClient } = await import('../job/job-client.js');
      const { uploadArtifacts } = await import('../artifacts/artifact-upload.js');
      const uploaded = await uploadArtifacts(new JobClient(calls.agentHttp, calls.token, jobId, calls.retrier), {
        paths,
        folder: io.cwd,
        delimiter: options.delimiter,
        literal: options.literal,
        followSymbolicLinks: options.globResolveFollowSymlinks,
        contentType: options.contentType,
        log: { line: async (text) => io.err(`${text}\n`) },
      });
      if (!uploaded) throw new CommandFailure('');
    });
}

function downloadCommand(io: CommandIo): Command {
  return search(io, 'download', 'Download files into a folder.')
    .argument('<folder>')
    .action(async (query: string, folder: string, options: SearchOptions) => {
      const target = resolve(io.cwd, folder);
      if (!(await stat(target).catch(() => null))?.isDirectory())
        throw new CommandFailure(`${target} is not a folder.`);
      const calls = new ServerCalls(io, options);
      const artifacts = await find(calls, query, options, false);
      if (artifacts.length === 0) throw new CommandFailure(`No artifacts found for "${query}".`);
      const { downloadArtifact } = await import('../artifacts/download-artifact.js');
      const queue = [...artifacts];
      let failed = 0;
      const work = async (): Promise<void> => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const { path, url, sha1sum } = next;
          try {
            await calls.retrier.run('artifactDownload', () => downloadArtifact({ path, url, sha1: sha1sum }, target));
            io.err(`Downloaded ${path}\n`);
          } catch (error) {
            failed += 1;
            io.err(`error: ${path} was not downloaded: ${(error as Error).message}\n`);
          }
        }
      };
      await Promise.all(Array.from({ length: atOnce }, work));
      if (failed > 0) throw new CommandFailure(`${failed} of ${artifacts.length} artifacts were not downloaded.`);
    });
}

function searchCommand(io: CommandIo): Command {
  return search(io, 'search', 'Print artifacts, one a line.')
    .option('--allow-empty-results', 'exit with 0 also where nothing is found')
    .option(
      '--format <text>',
      '%i id, %p path, %c time, %j job, %s size, %S SHA-1, %T SHA-256, %u address',
      '%j %p %c\\n',
    )
    .action(async (query: string, options: SearchOptions) => {
      const artifacts = await find(new ServerCalls(io, options), query, options, true);
      if (artifacts.length === 0 && !options.allowEmptyResults)
        throw new CommandFailure(`No artifacts found for "${query}".`);
      for (const artifact of artifacts) io.out(formatted(options.format, artifact));
    });
}

function shasumCommand(io: CommandIo): Command {
  return search(io, 'shasum', 'Print the SHA-1 of one artifact, or its SHA-256.')
    .option('--sha256', 'print the SHA-256')
    .action(async (query: string, options: SearchOptions) => {
      const artifacts = await find(new ServerCalls(io, options), query, options, false);
      const [artifact] = artifacts;
      if (artifact === undefined) throw new CommandFailure(`No artifact matches "${query}".`);
      if (artifacts.length > 1)
        throw new CommandFailure(`${artifacts.length} artifacts match "${query}"; one is needed.`);
      const sum = options.sha256 ? artifact.sha256sum : artifact.sha1sum;
      if (!sum) throw new CommandFailure(`The artifact ${artifact.path} has no such sum.`);
      io.out(`${sum}\n`);
    });
}

function search(io: CommandIo, name: string, description: string): Command {
  return serverCommand(io, name, description)
    .argument('<query>', 'a path; * matches any text')
    .option('--step <name>', 'only of this step (key or label) or job (id)')
    .addOption(buildOption(io))
    .addOption(
      switchOption(
        io,
        '--include-retried-jobs',
        'also of jobs that were retried',
        'BUILDKITE_AGENT_INCLUDE_RETRIED_JOBS',
      ),
    );
}

async function find(
  calls: ServerCalls,
  query: string,
  options: SearchOptions,
  duplicates: boolean,
): Promise<FoundArtifact[]> {
  const build = required(options.build, 'build', 'BUILDKITE_BUILD_ID');
  const parameters = new URLSearchParams({ query, state: 'finished' });
  if (options.step) parameters.set('scope', options.step);
  if (options.includeRetriedJobs) parameters.set('include_retried_jobs', 'true');
  if (duplicates) parameters.set('include_duplicates', 'true');
  const path = `builds/${segment(build)}/artifacts/search?${parameters}`;
  const reply = await calls.callForJson('artifactSearch', 'GET', path);
  if (!Array.isArray(reply)) throw new AgentHttpError('the answer is not a list of artifacts', 'body');
  return reply as FoundArtifact[];
}

function formatted(format: string, artifact: FoundArtifact): string {
  const values: Record<string, string | number> = {
    i: artifact.id,
    p: artifact.path,
    c: artifact.created_at,
    j: artifact.job_id,
    s: artifact.file_size,
    S: artifact.sha1sum,
    T: artifact.sha256sum,
    u: artifact.url,
  };
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };
  return format
    .replace(/\\([ntr\\])/g, (_, letter: string) => escapes[letter] ?? '')
    .replace(/%([ipcjsSTu])/g, (_, letter: string) => String(values[letter] ?? ''));
}
