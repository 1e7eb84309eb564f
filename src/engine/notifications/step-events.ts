import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { type StepJob, stepOutcome, stepState } from '../../domain/builds/step-attributes.js';
import type { Json, StepType } from '../../domain/pipelines/steps/step.js';
import type { JobRow } from '../../entities/database.js';
import type { NotifiableEvent, StepOfEvent } from './subscribed-services.js';

interface NotifyingStep {
  id: string;
  key: string | null;
  label: string | null;
  type: StepType;
  groupId: string | null;
  notify: Json[];
}

/**
 * Events of steps with `notify` that follow from jobs that ended in this transaction: `step.finished` when a step, or
 * group, has no job left to run, `step.failing` when its first job has failed and others are to run. The build's lock
 * is held, so that of several jobs that end at once exactly one is the last.
 */
export async function stepEventsOf(context: Context, events: readonly NotifiableEvent[]): Promise<NotifiableEvent[]> {
  const ended = events.filter(({ event, build, job }) => event === 'job.finished' && build?.stepNotify && job);
  const stepEvents: NotifiableEvent[] = [];
  for (const buildId of new Set(ended.map(({ orderKey }) => orderKey))) {
    const own = ended.filter(({ orderKey }) => orderKey === buildId);
    stepEvents.push(...(await ofBuild(context, own)));
  }
  return stepEvents;
}

async function ofBuild(context: Context, ended: readonly NotifiableEvent[]): Promise<NotifiableEvent[]> {
  const [last] = ended.toSorted((one, other) => other.sequence - one.sequence);
  if (!last?.build) return [];
  const { build } = last;
  const endedJobs = new Set(ended.flatMap(({ job }) => (job ? [job.id] : [])));
  const endedSteps = new Set(ended.flatMap(({ job }) => (job ? [job.stepId] : [])));
  const steps = await notifyingSteps(context, build.id);
  if (steps.length === 0) return [];
  const groupOf = new Map((await groupsOf(context, build.id)).map(({ id, groupId }) => [id, groupId]));
  const jobs = await context.load.jobsOfBuild.load(build.id);
  return steps.flatMap(({ notify, ...step }): NotifiableEvent[] => {
    const isOwn = (stepId: string) => stepId === step.id || groupOf.get(stepId) === step.id;
    if (![...endedSteps].some(isOwn)) return [];
    const own = jobs.filter(({ stepId }) => isOwn(stepId));
    const event = eventOf(own, endedJobs);
    if (event === null) return [];
    const facts = own.map(asStepJob);
    const about: StepOfEvent = { ...step, notify, state: stepState(facts), outcome: stepOutcome(facts) };
    const { organizationId, sequence, orderKey } = last;
    return [{ organizationId, sequence, orderKey, event, build, step: about }];
  });
}

function eventOf(jobs: readonly JobRow[], endedNow: ReadonlySet<string>) {
  const state = stepState(jobs.map(asStepJob));
  if (state === 'finished' || state === 'canceled') return 'step.finished' as const;
  if (state !== 'failing') return null;
  const before = stepState(jobs.filter(({ id }) => !endedNow.has(id)).map(asStepJob));
  return before === 'failing' ? null : ('step.failing' as const);
}

const asStepJob = ({ type, state, passed, softFailed, retriedInJobId, startedAt }: JobRow): StepJob => ({
  type,
  state,
  passed,
  softFailed,
  retried: retriedInJobId !== null,
  startedAt,
});

async function notifyingSteps({ db }: Context, buildId: string): Promise<NotifyingStep[]> {
  const { rows } = await sql<NotifyingStep>`
    select id, key, label, type, group_id, definition -> 'notify' as notify from steps
    where build_id = ${buildId} and jsonb_typeof(definition -> 'notify') = 'array' and definition -> 'notify' <> '[]'
    order by position`.execute(db);
  return rows;
}

function groupsOf({ db }: Context, buildId: string): Promise<{ id: string; groupId: string | null }[]> {
  return db
    .selectFrom('steps')
    .select(['id', 'groupId'])
    .where('buildId', '=', buildId)
    .where('groupId', 'is not', null)
    .execute();
}
