import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { buildAddress } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { BuildSubject } from '../../../core/subject.js';
import { commitsBetween } from '../../../domain/builds/culprit/bounds.js';
import { unfinishedCulpritStates } from '../../../domain/builds/culprit/search-state.js';
import { orMissing, text } from '../../../domain/input-text.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, notFound, wrongState } from '../../../domain/problem.js';
import { planSearch, type SearchPlan } from '../../../resources/builds/culprits/plan-search.js';
import { shownSearches, type SearchSubject } from '../../../resources/builds/culprits/shown-search.js';

const sha = z
  .string({ error: orMissing('must be a full SHA in lower case') })
  .max(limits.commitLength)
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, 'must be a full SHA in lower case');

/**
 * POST culprit-searches: begins to search for the commit since which steps of a failed build fail. Its builds are
 * created in the background.
 */
export const createCulpritSearch = defineOperation({
  name: 'culprit-search.create',
  summary: 'Searches for the commit that turned the branch of a failed build red.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input: z.object({
    build: buildAddress,
    steps: z
      .array(text(limits.stepKeyLength), { error: orMissing('must be a list of strings') })
      .max(limits.culpritSteps, `has more than ${limits.culpritSteps} steps`)
      .nullish(),
    goodCommit: sha.nullish(),
    commits: z
      .array(sha, { error: orMissing('must be a list of strings') })
      .max(limits.culpritCommits + 1, `has more than ${limits.culpritCommits} commits`)
      .nullish(),
  }),
  subject: (context, { build }) => findBuild(context, build),
  run: async (context, { commits, ...request }, subject: BuildSubject): Promise<SearchSubject> => {
    const { build } = subject;
    await refuseTooMany(context, subject);
    const plan = await planSearch(context, build, request);
    const listed = commits ? between(commits, plan) : null;
    const id = context.newId();
    await context.db
      .insertInto('culprit_searches')
      .values({
        id,
        organizationId: build.organizationId,
        pipelineId: build.pipelineId,
        buildId: build.id,
        state: listed ? 'running' : 'preparing',
        branch: build.branch,
        steps: plan.steps,
        plan: plan.plan,
        timeouts: plan.timeouts,
        goodCommit: plan.good.commit,
        goodBuildId: plan.good.buildId,
        badCommit: plan.bad.commit,
        badBuildId: plan.bad.buildId,
        commits: listed ?? [],
        commitsFrom: listed ? 'caller' : null,
        firstSuspect: listed ? 1 : null,
        lastSuspect: listed ? listed.length : null,
        createdById: context.userId,
        createdAt: context.now,
        nextLookAt: context.now,
        deadlineAt: new Date(context.now.getTime() + limits.culpritSearchHours * 3_600_000),
      })
      .execute();
    const search = await shownSearches(context).where('s.id', '=', id).executeTakeFirstOrThrow();
    return { ...subject, search };
  },
});

function between(commits: readonly string[], { good, bad }: SearchPlan): string[] {
  const result = commitsBetween(commits, { good: good.commit, bad: bad.commit });
  if ('problem' in result) throw invalidField('commits', result.problem);
  if (result.commits.length > limits.culpritCommits)
    throw invalidField('commits', `has more than ${limits.culpritCommits} commits`);
  return result.commits;
}

/**
 * Throws where the build, its pipeline or its organization has as many searches as it may. The lock of the pipeline
 * keeps its counts exact; that of the build, taken after it as everywhere, keeps the build from being deleted.
 */
async function refuseTooMany({ db }: Context, { build, pipeline }: BuildSubject): Promise<void> {
  await db.selectFrom('pipelines').select('id').where('id', '=', pipeline.id).forUpdate().execute();
  const locked = await db.selectFrom('builds').select('id').where('id', '=', build.id).forKeyShare().executeTakeFirst();
  if (!locked) throw notFound();
  const unfinished = sql`s.organization_id = ${build.organizationId} and s.state = any(${sql.val([
    ...unfinishedCulpritStates,
  ])}::text[])`;
  const { rows } = await sql<{ ofBuild: number; running: boolean; ofPipeline: number; ofOrganization: number }>`
    select count(*) filter (where s.pipeline_id = ${pipeline.id})::int as of_pipeline,
      count(*)::int as of_organization, coalesce(bool_or(s.build_id = ${build.id}), false) as running,
      (select count(*)::int from culprit_searches where build_id = ${build.id}) as of_build
    from culprit_searches s where ${unfinished}`.execute(db);
  const { ofBuild = 0, running = false, ofPipeline = 0, ofOrganization = 0 } = rows[0] ?? {};
  if (running) throw wrongState('A search for the culprit of this build is running');
  if (ofBuild >= limits.culpritSearchesOfBuild)
    throw wrongState(`A build may have at most ${limits.culpritSearchesOfBuild} searches for its culprit`);
  if (ofPipeline >= limits.culpritSearchesOfPipeline)
    throw wrongState(`At most ${limits.culpritSearchesOfPipeline} searches for culprits of a pipeline may run`);
  if (ofOrganization >= limits.culpritSearchesOfOrganization)
    throw wrongState(
      `At most ${limits.culpritSearchesOfOrganization} searches for culprits of an organization may run`,
    );
}
