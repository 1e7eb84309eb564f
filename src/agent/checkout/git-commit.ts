import { GitError, gitOutput } from './git.js';
import { AgentHttpError } from '../http.js';
import type { JobContext } from '../job/job-context.js';
import type { JobClient } from '../job/job-client.js';

const key = 'buildkite:git:commit';
/** Read by the server to fill in commit, author and message. */
const format = 'commit %H%nabbrev-commit %h%nAuthor: %an <%ae>%n%n%w(0,4,4)%B';

/** The full sha that is checked out in `path`. */
export async function headCommit(context: JobContext, path: string): Promise<string> {
  return (await gitOutput(context, path, 'rev-parse', 'HEAD')).trim();
}

/** Reports the commit to the build unless the build has it. Failures are only written to the job's log. */
export async function sendCommit(context: JobContext, client: JobClient, path: string): Promise<void> {
  if (context.env['BUILDKITE_COMMIT_RESOLVED'] === 'true') return;
  try {
    if (await client.metaDataExists(key, context.cancel)) return;
    await context.log.line('# Sending commit information back to the server');
    const text = await gitOutput(
      context,
      path,
      '--no-pager',
      'log',
      '-1',
      'HEAD',
      '-s',
      '--no-color',
      `--format=${format}`,
    );
    await client.setMetaData(key, text.trimEnd(), context.cancel);
  } catch (error) {
    if (!(error instanceof AgentHttpError || error instanceof GitError)) throw error;
    if (!context.cancel.aborted)
      await context.log.line(`⚠️ The commit could not be sent to the server: ${error.message}`);
  }
}
