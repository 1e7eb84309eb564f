import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { limits } from '../../domain/limits/limits.js';
import { type JobTexts, jobTextBytes } from '../../domain/pipelines/steps/job-texts.js';
import { limitOf } from '../../domain/limits/raised-limits.js';

/** What a build holds, as far as sums bound it. */
interface StoredSums {
  jobs: number;
  jobTextBytes: number;
  stepBytes: number;
}

/**
 * Sums up the jobs and steps of a locked build in the database, which reads no text of them into memory; only of these
 * steps, if any are named.
 */
export async function storedSums(
  context: Context,
  buildId: string,
  stepIds: readonly string[] | null = null,
): Promise<StoredSums> {
  const ofSteps = (column: string) =>
    stepIds === null ? sql`` : sql`and ${sql.ref(column)} = any(${[...stepIds]}::uuid[])`;
  const { rows } = await sql<{ jobs: number; jobTextBytes: number; stepBytes: number }>`select
    j.jobs, j.job_text_bytes::float8 as job_text_bytes, s.step_bytes::float8 as step_bytes
    from (
      select count(*)::int as jobs, coalesce(sum(
        coalesce(octet_length(label), 0) + coalesce(octet_length(command), 0) + octet_length(env::text)
        + coalesce(octet_length(plugins::text), 0) + octet_length(array_to_string(agent_query_rules, ''))
        + coalesce(octet_length(artifact_paths), 0)
      ), 0) as job_text_bytes from jobs where build_id = ${buildId} ${ofSteps('step_id')}
    ) j, (
      select coalesce(sum(octet_length(definition::text)), 0) as step_bytes
      from steps where build_id = ${buildId} ${ofSteps('id')}
    ) s`.execute(context.db);
  return rows[0] ?? { jobs: 0, jobTextBytes: 0, stepBytes: 0 };
}

/**
 * Why a locked build has no room for retries of these jobs, each of which stores the texts of its job again; null if it
 * has.
 */
export async function retryRoomProblem(
  context: Context,
  buildId: string,
  retried: readonly JobTexts[],
): Promise<string | null> {
  const stored = await storedSums(context, buildId);
  const jobs = stored.jobs + retried.length;
  if (jobs > limits.jobsPerBuild)
    return `A build may have at most ${limits.jobsPerBuild} jobs; this one would have ${jobs}.`;
  const bytes = stored.jobTextBytes + retried.reduce((sum, job) => sum + jobTextBytes(job), 0);
  return bytes > limitOf('jobTextBytes') ? jobTextProblem(bytes) : null;
}

/** The refusal of jobs whose texts would be so many bytes together with those that the build has. */
export const jobTextProblem = (bytes: number): string =>
  `The texts of the jobs of a build together may ` +
  `have at most ${limitOf('jobTextBytes')} bytes; this one would have ${bytes}.`;

/** The same for its steps. */
export const stepTextProblem = (bytes: number): string =>
  `The steps of a build together may have at most ${limitOf('buildStepBytes')} bytes; this one would have ${bytes}.`;
