import type { Context } from '../../../request/context.js';
import { boundsOf } from '../../../domain/builds/culprit/bounds.js';
import { type NeededStep, neededSteps } from '../../../domain/builds/culprit/needed-steps.js';
import { attemptOfCommit, failsByCommit } from '../../../domain/builds/culprit/verdict.js';
import { isCanonicalSha } from '../../../domain/builds/git-commit-text.js';
import type { StepAttempt } from '../../../domain/builds/failures/job-failure.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, wrongState } from '../../../domain/problem.js';
import { loadBuild, scheduleFacts } from '../../../engine/builds/load-facts.js';
import type { BuildRow, JobRow } from '../../../entities/database.js';
import type { CulpritStep } from '../../../entities/builds/culprit-search.js';
import { jobHasFailed } from '../failures/job-has-failed.js';
import { loadAttempts } from '../failures/load-history.js';

/** What a search looks for, from the rows of the failed build. */
export interface SearchPlan {
  steps: CulpritStep[];
  plan: NeededStep[];
  timeouts: boolean;
  good: { commit: string; buildId: string | null };
  bad: { commit: string; buildId: string };
}

/**
 * Plans a search for the commit since which steps of a build fail: all that failed, or those named by key or id. The
 * last passed commit is that of the last build in which they passed, or `goodCommit`. Throws where there is nothing to
 * search.
 */
export async function planSearch(
  context: Context,
  build: BuildRow,
  {
    steps: names,
    goodCommit,
  }: { steps?: readonly string[] | null | undefined; goodCommit?: string | null | undefined },
): Promise<SearchPlan> {
  if (build.culpritSearchId !== null) throw wrongState('The build is one of a search for a culprit');
  const loaded = await loadBuild(context, build);
  const failed = await failedJobs(context, build);
  const unknown = names?.find((name) => !loaded.steps.some((step) => step.key === name || step.id === name));
  if (unknown !== undefined) throw invalidField('steps', `names a step that the build does not have: ${unknown}`);
  const isNamed = (step: { id: string; key: string | null }) =>
    !names || names.length === 0 || names.some((name) => step.key === name || step.id === name);
  const named = new Set(loaded.steps.filter(isNamed).map(({ id }) => id));
  const jobs = failed.filter(({ stepId }) => named.has(stepId));
  if (jobs.length === 0) throw wrongState('No step of the build failed in a way that tells something of its commit');
  if (jobs.length > limits.culpritSteps)
    throw invalidField('steps', `must name fewer steps: more than ${limits.culpritSteps} jobs of them failed`);
  const targets = new Set(jobs.map(({ stepId }) => stepId));
  const facts = scheduleFacts(loaded);
  const plan = neededSteps(facts.steps, targets, passesOf(facts));
  const dependencies = plan.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0);
  if (dependencies > limits.culpritDependencies)
    throw wrongState(`The steps depend on others in more than ${limits.culpritDependencies} ways`);
  const timeouts = jobs.some(({ state }) => state === 'timed_out');
  return {
    steps: loaded.steps.filter(({ id }) => targets.has(id)).map(({ id, key, label }) => ({ id, key, label })),
    plan,
    timeouts,
    ...(await endsOf(context, build, jobs, { goodCommit: goodCommit ?? null, timeouts })),
  };
}

const failureColumns = [
  'id',
  'stepId',
  'type',
  'state',
  'passed',
  'exitStatus',
  'signal',
  'signalReason',
  'timeoutInMinutes',
] as const;
type FailedJob = Pick<JobRow, (typeof failureColumns)[number]>;

/** The current jobs of a build that failed hard, and by their commit. */
async function failedJobs({ db }: Context, build: BuildRow): Promise<FailedJob[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select(failureColumns)
    .where('buildId', '=', build.id)
    .where('retried', '=', false)
    .where('softFailed', '=', false)
    .where(jobHasFailed('jobs'))
    .orderBy('position')
    .orderBy('id')
    .execute();
  return jobs.filter(failsByCommit);
}

/** Steps that ran nothing, and those whose uploads are steps of the build. */
function passesOf({ steps, jobs }: ReturnType<typeof scheduleFacts>): Set<string> {
  const ran = new Set(
    jobs.filter(({ retried, state }) => !retried && state !== 'broken' && state !== 'skipped').map((job) => job.stepId),
  );
  return new Set([
    ...steps.filter((step) => step.type !== 'group' && !ran.has(step.id)).map(({ id }) => id),
    ...steps.flatMap(({ uploadedByStepId }) => uploadedByStepId ?? []),
  ]);
}

async function endsOf(
  context: Context,
  build: BuildRow,
  jobs: readonly FailedJob[],
  { goodCommit, timeouts }: { goodCommit: string | null; timeouts: boolean },
): Promise<Pick<SearchPlan, 'good' | 'bad'>> {
  if (goodCommit !== null) {
    refuseRef(build.commit, `build #${build.number}`);
    if (goodCommit === build.commit) throw invalidField('goodCommit', 'must be another commit than that of the build');
    return { good: { commit: goodCommit, buildId: null }, bad: { commit: build.commit, buildId: build.id } };
  }
  const attempts = [...(await loadAttempts(context, jobs)).values()];
  const ofCommits = attempts.map((ofJob) => ofJob.map((attempt) => attemptOfCommit(attempt, timeouts)));
  const bounds = boundsOf(ofCommits.filter(isFilled));
  if (!bounds?.good)
    throw wrongState(
      `The steps passed together in none of the last ${limits.failureHistoryBuilds} builds of the branch: ` +
        'name a commit at which they passed',
    );
  const { good, bad } = bounds;
  for (const { commit, number } of [good, bad]) refuseRef(commit, `build #${number}`);
  if (good.commit === bad.commit)
    throw wrongState(`Build #${good.number} passed at the commit at which build #${bad.number} failed`);
  return { good: { commit: good.commit, buildId: good.id }, bad: { commit: bad.commit, buildId: bad.id } };
}

const isFilled = (attempts: readonly StepAttempt[]): attempts is [StepAttempt, ...StepAttempt[]] => attempts.length > 0;

function refuseRef(commit: string, build: string): void {
  if (!isCanonicalSha(commit)) throw wrongState(`The commit of ${build} is no full SHA`);
}
