import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { idIn } from '../../../database/id-in.js';
import { artifactStates } from '../../../domain/builds/artifact-state.js';
import { limits } from '../../../domain/limits/limits.js';
import type { ArtifactRow, JobRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { jobOfCaller, requireLiveToken } from '../../../resources/builds/jobs/held-job.js';
import { defineOperation } from '../../../core/operation.js';
import { isAllowedByRule } from '../../../engine/triggers/allowed-by-rule.js';
import type { Subject } from '../../../core/subject.js';
import { text } from '../../../domain/input-text.js';
import { pathMatches } from '../../../resources/builds/artifacts/filters.js';
import { downloadLink } from '../../../resources/builds/artifacts/links.js';

interface CallersJob extends Subject {
  job: JobRow;
}

export interface ArtifactMatch {
  artifact: ArtifactRow;
  /** Signed URL that needs no credential. */
  url: string;
}

/**
 * Artifacts that a search has found, oldest first. All together may have more than a hundred megabytes of paths, so
 * each page is read when it is asked for.
 */
export type ArtifactMatches = AsyncIterable<readonly ArtifactMatch[]>;

/** The most that one page reads: bytes of texts, and rows. */
const pageBytes = 1024 * 1024;
const pageRows = 500;

/**
 * GET artifacts/search: finds artifacts by path in the caller's build, or in a build that a rule opens to it, oldest
 * first. A build that may not be seen yields an empty list: agents retry errors for the better part of a minute.
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
    scope: text(limits.stepLabelLength).nullish(),
    state: z.string().max(limits.filterLength).nullish(),
    includeRetriedJobs: z.boolean().default(false),
    includeDuplicates: z.boolean().default(false),
  }),
  subject: async (context): Promise<CallersJob | null> => {
    const job = await jobOfCaller(context);
    return job && { job };
  },
  run: async (context, request, { job }): Promise<ArtifactMatches> => {
    requireLiveToken(context, job);
    const buildId = request.build.toLowerCase();
    if (buildId !== job.buildId && !(await isOpenTo(context, job, buildId))) return matchesOf(context, []);
    return matchesOf(context, await matching(context, buildId, request));
  },
});

/** Whether a rule allows the job's build to read the artifacts of another pipeline (`artifacts_read`). */
async function isOpenTo(context: Context, job: JobRow, buildId: string): Promise<boolean> {
  const build = isId(buildId)
    ? await context.db
        .selectFrom('builds')
        .select(['pipelineId', 'organizationId'])
        .where('id', '=', buildId)
        .executeTakeFirst()
    : undefined;
  if (!build || build.organizationId !== job.organizationId) return false;
  const own = await context.db.selectFrom('builds').selectAll().where('id', '=', job.buildId).executeTakeFirstOrThrow();
  return isAllowedByRule(context, 'artifacts_read', own, build.pipelineId);
}

interface Request {
  query: string;
  scope?: string | null | undefined;
  state?: string | null | undefined;
  includeRetriedJobs: boolean;
  includeDuplicates: boolean;
}

interface MeasuredArtifact {
  id: string;
  /** Bytes of its texts. */
  bytes: number;
}

async function matching(
  context: Context,
  buildId: string,
  { query, scope, state, includeRetriedJobs, includeDuplicates }: Request,
): Promise<MeasuredArtifact[]> {
  const wantedState = artifactStates.find((each) => each === (state || 'finished'));
  if (!wantedState) return [];
  let search = context.db
    .selectFrom('artifacts as a')
    .innerJoin('jobs as j', 'j.id', 'a.jobId')
    .innerJoin('steps as s', 's.id', 'j.stepId')
    .select(['a.id', 'a.path'])
    .select(
      sql<number>`octet_length(concat(a.path, a.absolute_path, a.glob_path, a.upload_destination, a.url))`.as('bytes'),
    )
    .where('a.buildId', '=', buildId)
    .where('a.state', '=', wantedState)
    .where(pathMatches(query));
  if (!includeRetriedJobs) search = search.where('j.retried', '=', false);
  if (scope) {
    search = search.where((eb) =>
      eb.or([
        eb('s.key', '=', scope),
        eb('j.label', '=', scope),
        ...(isId(scope) ? [sql<boolean>`j.id = ${scope}::uuid`] : []),
      ]),
    );
  }
  // The newest ones, if there are more than one answer may hold; shown in the order they were made.
  const newest = search.orderBy('a.id', 'desc').limit(limits.artifactSearchResults).as('n');
  const shown = context.db.selectFrom(newest).select(['n.id', 'n.bytes']);
  const rows = await (
    includeDuplicates ? shown : shown.distinctOn('n.path').orderBy('n.path').orderBy('n.id', 'desc')
  ).execute();
  return rows.sort((one, other) => (one.id < other.id ? -1 : 1));
}

async function* matchesOf(context: Context, artifacts: readonly MeasuredArtifact[]): AsyncGenerator<ArtifactMatch[]> {
  for (let start = 0; start < artifacts.length;) {
    const ids: string[] = [];
    for (let bytes = 0; start < artifacts.length && bytes < pageBytes && ids.length < pageRows; start += 1) {
      const { id, bytes: own } = artifacts[start] as MeasuredArtifact;
      ids.push(id);
      bytes += own;
    }
    const query = context.db.selectFrom('artifacts').selectAll().where(idIn('id', ids));
    yield (await query.orderBy('id').execute()).flatMap((artifact) => {
      const url = downloadLink(context, artifact, limits.artifactAgentLinkSeconds);
      return url === null ? [] : [{ artifact, url }];
    });
  }
}
