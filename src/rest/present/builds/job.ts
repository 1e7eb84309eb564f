import type { Context } from '../../../request/context.js';
import { isUnblockable, restJobState } from '../../../domain/builds/job-state.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { JobRow } from '../../../entities/database.js';
import { boolean, discriminated, enumOf, nullable, reference, text, time, url, uuid } from '../../openapi/schema.js';
import { keptPart, showPart } from '../../parts/part.js';
import { field, type Fields, resource } from '../fields.js';
import { type BuildAddress, linkBuildById, type LinkedBuild, linksOf, placeOf } from '../linked-build.js';
import { presentUserById } from '../organizations/user.js';
import { Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';
import type { JobSource } from './job-source.js';
import { presentScriptJob } from './script-job.js';

/** Schema of a job: one of four, distinguished by `type`. */
export const jobSchema = discriminated('type', {
  script: 'ScriptJob',
  waiter: 'WaiterJob',
  manual: 'ManualJob',
  trigger: 'TriggerJob',
});

const identityFields: Fields<{ job: JobRow }> = {
  id: field(uuid, 'ID of the job.', ({ job }) => job.id),
  graphql_id: field(text, 'ID of the job in the GraphQL API.', ({ job }) => encodeNodeId('Job', job.id)),
};

export const waiterJobResource = resource<{ job: JobRow }>({
  ...identityFields,
  type: field(enumOf('waiter'), 'Type of the job: a wait step.', () => 'waiter'),
});

/** A block or input step. */
export const manualJobResource = resource<JobSource>({
  ...identityFields,
  type: field(enumOf('manual'), 'Type of the job: a block or input step.', () => 'manual'),
  label: field(text, 'Label of the step; empty if it has none.', ({ job }) => job.label ?? ''),
  state: field(text, 'State of the job.', ({ job }) => restJobState(job)),
  step_key: field(nullable(text), 'Key of the step.', ({ step }) => step?.key ?? null),
  web_url: field(nullable(url), 'Always null: a block or input step has no page.', () => null),
  unblocked_by: field(nullable(reference('User')), 'User who unblocked the job.', ({ context, job }) =>
    presentUserById(context, job.unblockedById),
  ),
  unblocked_at: field(nullable(time), 'Time the job was unblocked.', ({ job }) => timeOrNull(job.unblockedAt)),
  unblockable: field(
    boolean,
    'Whether the job can be unblocked now.',
    ({ job }) => isUnblockable(job.type, job.state) ?? false,
  ),
  unblock_url: field(url, 'API URL that unblocks the job by PUT.', ({ links }) => `${links.api}/unblock`),
});

export const triggerJobResource = resource<JobSource>({
  ...identityFields,
  type: field(enumOf('trigger'), 'Type of the job: a trigger step.', () => 'trigger'),
  name: field(nullable(text), 'Label of the step.', ({ job }) => job.label),
  step_key: field(nullable(text), 'Key of the step.', ({ step }) => step?.key ?? null),
  state: field(text, 'State of the job.', ({ job }) => restJobState(job)),
  async: field(boolean, 'Whether the build continues without waiting for the triggered build.', ({ job }) => job.async),
  build_url: field(url, 'API URL of the build of the job.', ({ buildUrl }) => buildUrl),
  web_url: field(url, 'URL of the job on the page of its build.', ({ links }) => links.web),
  created_at: field(time, 'Time the job was created.', ({ job }) => formatTime(job.createdAt)),
  scheduled_at: field(nullable(time), 'Time the job was scheduled.', ({ job }) => timeOrNull(job.scheduledAt)),
  runnable_at: field(nullable(time), 'Time the job became runnable.', ({ job }) => timeOrNull(job.runnableAt)),
  started_at: field(nullable(time), 'Time the job started.', ({ job }) => timeOrNull(job.startedAt)),
  finished_at: field(nullable(time), 'Time the job finished.', ({ job }) => timeOrNull(job.finishedAt)),
  triggered_build: field(
    nullable(reference('BuildSummary')),
    'Build that the step created; null before that, and for callers who may not see it.',
    presentTriggeredBuild,
  ),
});

/** What a job shows of its build. */
interface JobPartArgs {
  id: string;
  build: string;
  place: BuildAddress;
  inBuild: boolean;
}

/** A job as a build, a list or a reply of its own shows it. */
export const jobPart = keptPart<JobPartArgs, JobRow>('job', 'jobs', async (context, args, row) => {
  const job = existing(row ?? (await context.load.jobOfBuild.load(`${args.build} ${args.id}`)), 'a job');
  if (job.type === 'wait') return waiterJobResource.present({ job });
  const source = await loadSource(context, job, args);
  if (job.type === 'command') return presentScriptJob(source);
  return (job.type === 'trigger' ? triggerJobResource : manualJobResource).present(source);
});

/**
 * Presents a job by its type.
 *
 * @param inBuild the build that the reply shows the job in; null in a reply for the job alone
 */
export async function presentJob(
  context: Context,
  job: JobRow,
  inBuild: LinkedBuild | null = null,
): Promise<JsonObject> {
  const build = inBuild ?? existing(await linkBuildById(context, job.buildId), 'a build');
  const args = { id: job.id, build: job.buildId, place: placeOf(build), inBuild: inBuild !== null };
  return showPart(context, jobPart, args, job);
}

async function loadSource(context: Context, job: JobRow, { place, inBuild }: JobPartArgs): Promise<JobSource> {
  const links = linksOf(context, place);
  return {
    context,
    job,
    organization: { slug: place.organization },
    step: await context.load.stepSummary.load(job.stepId),
    links: Urls.of(context).job(links, job),
    buildUrl: links.api,
    inBuild,
  };
}

async function presentTriggeredBuild({ context, job }: JobSource): Promise<JsonObject | null> {
  const triggered = await linkBuildById(context, job.triggeredBuildId);
  return (
    triggered && {
      id: triggered.build.id,
      number: triggered.build.number,
      url: triggered.links.api,
      web_url: triggered.links.web,
    }
  );
}
