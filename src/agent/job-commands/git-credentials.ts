import { Command } from 'commander';

import { segment } from '../http.js';
import { redactInLog } from './agent-calls.js';
import { CommandFailure, type CommandIo } from './command-io.js';
import { jobOption, serverCommand } from './command-options.js';
import { required, ServerCalls, type ServerOptions, textOf } from './server-calls.js';

interface CredentialOptions extends ServerOptions {
  job?: string;
}

/**
 * `buildkite-agent git-credentials-helper`: answers git with a token that the server mints for the repository. Where
 * there is none it answers with credentials that fail, so that git ends at once and asks nobody.
 */
export function gitCredentialsCommand(io: CommandIo): Command {
  return serverCommand(io, 'git-credentials-helper', 'Give git a token of the server for a repository.')
    .argument('[operation]', 'get; git also calls store and erase, which do nothing', 'get')
    .addOption(jobOption(io))
    .action(async (operation: string, options: CredentialOptions) => {
      if (operation !== 'get') return;
      try {
        const url = repositoryUrl(await io.readStdin());
        const job = required(options.job, 'job', 'BUILDKITE_JOB_ID');
        const reply = await new ServerCalls(io, options).call(
          'repositoryToken',
          'POST',
          `jobs/${segment(job)}/repository_access_token`,
          { repo_url: url },
        );
        const token = textOf(reply, 'token');
        if (token === '') throw new CommandFailure('The server gave no token.');
        await redactInLog(io, [token]);
        io.out(`username=token\npassword=${token}\n`);
      } catch (error) {
        io.out('username=fail\npassword=fail\n');
        const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
        io.err(`Error: ${reason}. Authentication will proceed, but will fail.\n`);
        throw new CommandFailure('');
      }
    });
}

/** The repository that git asks about, from its lines `protocol=`, `host=` and `path=`. */
function repositoryUrl(question: string): string {
  const fields = new Map(
    question.split('\n').flatMap((line): [string, string][] => {
      const at = line.indexOf('=');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
    }),
  );
  const [protocol, host, path] = ['protocol', 'host', 'path'].map((name) => fields.get(name) ?? '');
  if (!host || !path) throw new CommandFailure('git names no repository: it needs credential.useHttpPath');
  if (protocol !== 'https')
    throw new CommandFailure(`tokens are sent over HTTPS only, and the repository is at ${protocol}://${host}`);
  return `https://${host}/${path}`;
}
