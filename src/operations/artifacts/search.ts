import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { artifactStates } from '../../domain/artifact-state.js';
import { limits } from '../../domain/limits.js';
import type { ArtifactRow, JobRow } from '../../entities/database.js';
import { isId } from '../address.js';
import { callingAgent, findHeldJob, requireLiveToken } from '../jobs/held-job.js';
import { heldBy } from '../jobs/release-from-agent.js';
import { defineOperation } from '../operation.js';
import { isAllowedByRule } from '../rules/fields.js';
import type { Subject } from '../subject.js';
import { text } from '../text.js';
import { pathMatches } from './filters.js';
import { downloadLink } from './links.js';

interface CallersJob extends Subject {
  job: JobRow;
}

export interface FoundArtifact {
  artifact: ArtifactRow;
  /** To be opened without a credential. */
  url: string;
}

/**
 * GET artifacts/search (agent-protocol 7.5): artifacts of the caller's own build, or of one that a rule opens to it, by path, in the order they were made.
 * What cannot be seen is not found: agents try refusals again for the better part of a minute.
 */
export const searchArtifacts = defineOperation({
  name: 'artifact.search',
  summary: 'Finds artifacts of a build by their paths.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({
    build: z.string().max(300),
    query: text(limits.artifactPathLength),
    /** A step's key, a job's label or a job's id. */
    scope: text(limits.commandBytes).nullish(),
    state: z.string().max(limits.filterLength).nullish(),
    includeRetriedJobs: z.boolean().default(false),
    includeDuplicates: z.boolean().default(false),
  }),
  subject: (context): Promise<CallersJob | null> => callersJob(context),
  run: async (context, asked, { job }): Promise<FoundArtifact[]> => {
    requireLiveToken(context, job);
    const buildId = asked.build.toLowerCase();
    if (buildId !== job.buildId && !(await isOpenTo(context, job, buildId))) return [];
    const rows = await matching(context, buildId, asked);
    const found = asked.includeDuplicates ? rows : latestOfEachPath(rows);
    return found.flatMap((artifact) => {
      const url = downloadLink(context, artifact, limits.artifactAgentLinkSeconds);
      return url === null ? [] : [{ artifact, url }];
    });
  },
});

/** Whether a rule lets the job's pipeline read what the pipeline of another build made (rest-facts 3.7, `artifacts_read`). */
async function isOpenTo(context: Context, job: JobRow, buildId: string): Promise<boolean> {
  const build = isId(buildId) ? await context.db.selectFrom('builds').select(['pipelineId', 'organizationId']).where('id', '=', buildId).executeTakeFirst() : undefined;
  if (!build || build.organizationId !== job.organizationId) return false;
  return isAllowedByRule(context, 'artifacts_read', { sourcePipelineId: job.pipelineId, targetPipelineId: build.pipelineId });
}

/** The job the token is for, or the one that the agent holds. */
async function callersJob(context: Context): Promise<CallersJob | null> {
  const { agent, job: claim } = callingAgent(context);
  const job = claim ? ((await findHeldJob(context, claim.id))?.job ?? null) : await heldBy(context, agent.id);
  return job && { job };
}

interface Asked {
  query: string;
  scope?: string | null | undefined;
  state?: string | null | undefined;
  includeRetriedJobs: boolean;
}

async function matching(context: Context, buildId: string, { query, scope, state, includeRetriedJobs }: Asked): Promise<ArtifactRow[]> {
  const wanted = artifactStates.find((each) => each === (state || 'finished'));
  if (!wanted) return [];
  let search = context.db
    .selectFrom('artifacts as a')
    .innerJoin('jobs as j', 'j.id', 'a.jobId')
    .innerJoin('steps as s', 's.id', 'j.stepId')
    .selectAll('a')
    .where('a.buildId', '=', buildId)
    .where('a.state', '=', wanted)
    .where(pathMatches(query));
  if (!includeRetriedJobs) search = search.where('j.retried', '=', false);
  if (scope) {
    search = search.where((eb) => eb.or([eb('s.key', '=', scope), eb('j.label', '=', scope), ...(isId(scope) ? [sql<boolean>`j.id = ${scope}::uuid`] : [])]));
  }
  // The newest ones, if there are more than one answer may hold; shown in the order they were made.
  const rows = await search.orderBy('a.id', 'desc').limit(limits.artifactSearchResults).execute();
  return rows.reverse();
}

function latestOfEachPath(rows: readonly ArtifactRow[]): ArtifactRow[] {
  const latest = new Map<string, ArtifactRow>();
  for (const row of rows) {
    latest.delete(row.path);
    latest.set(row.path, row);
  }
  return [...latest.values()];
}
