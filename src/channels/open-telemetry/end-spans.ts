import { createHash } from 'node:crypto';
import type { BuildState } from '../../domain/builds/build-state.js';
import type { JobState, JobType } from '../../domain/builds/job-state.js';
import {
  isTraceSampled,
  parentSpanOfBuild,
  spanIdOf,
  traceIdOfBuild,
  type TracedBuild,
} from '../../domain/builds/trace-ids.js';
import { webUrls } from '../../services/web-urls.js';
import type { PastSpan, SpanAttributes } from '../../tracing/tracing.js';

/** A build as its spans and those of its jobs name it. */
export interface NamedBuild extends TracedBuild {
  number: number;
  commit: string;
  branch: string;
  source: string;
  organizationId: string;
  organizationSlug: string;
  pipelineId: string;
  pipelineSlug: string;
  pipelineName: string;
  repository: string;
}

export interface EndedBuild extends NamedBuild {
  state: BuildState;
  message: string | null;
  createdAt: Date;
  finishedAt: Date;
  /** How often it had ended before, and when for the last time: a retry reopens a build. */
  formerEnds: number;
  formerlyEndedAt: Date | null;
}

export interface EndedJob extends NamedBuild {
  id: string;
  type: JobType;
  state: JobState;
  passed: boolean;
  softFailed: boolean;
  label: string | null;
  stepKey: string | null;
  exitStatus: number | null;
  signalReason: string | null;
  attempt: number;
  retriedInJobId: string | null;
  createdAt: Date;
  runnableAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date;
  agentId: string | null;
  agentName: string | null;
  queueKey: string | null;
  clusterName: string | null;
}

/** Results by the names of the OpenTelemetry conventions for CI/CD. */
const buildResults: Partial<Record<BuildState, string>> = {
  passed: 'success',
  failed: 'failure',
  canceled: 'cancellation',
  skipped: 'skip',
  not_run: 'skip',
};
const jobResults: Partial<Record<JobState, string>> = {
  canceled: 'cancellation',
  skipped: 'skip',
  broken: 'skip',
  expired: 'timeout',
  timed_out: 'timeout',
};
const longestMessage = 255;

/**
 * The span of a build that ended, below that of whoever created it, else the root of its trace. What happens after a
 * retry has reopened the build is a stage below it, since the first span has been sent by then.
 */
export function spanOfBuild(build: EndedBuild, base: string): PastSpan {
  const isAgain = build.formerlyEndedAt !== null;
  const rootId = spanIdOf(build.buildId);
  const stage = build.formerEnds + 1;
  return {
    name: `BUILD ${build.pipelineSlug}`,
    kind: isAgain ? 'internal' : 'server',
    traceId: traceIdOfBuild(build),
    isSampledByCaller: build.traceparent === null ? null : isTraceSampled(build),
    spanId: isAgain ? stageId(build.buildId, stage) : rootId,
    parentSpanId: isAgain ? rootId : parentSpanOfBuild(build),
    startedAt: build.formerlyEndedAt ?? build.createdAt,
    endedAt: build.finishedAt,
    error: build.state === 'failed' ? 'the build failed' : null,
    attributes: {
      ...attributesOfBuild(build, base),
      'cicd.pipeline.action.name': 'BUILD',
      'cicd.pipeline.result': buildResults[build.state],
      'error.type': build.state === 'failed' ? 'build_failed' : null,
      'buildkite.build.state': build.state,
      'buildkite.build.stage': stage,
      'buildkite.build.message': build.message?.slice(0, longestMessage),
    },
  };
}

const stageId = (buildId: string, stage: number) =>
  createHash('sha256').update(`${buildId} ${stage}`).digest('hex').slice(0, 16);

/** The span of a job that ended, below its build, from when it could be offered; agents have theirs below it. */
export function spanOfJob(job: EndedJob, base: string): PastSpan {
  const result = resultOf(job);
  const error = errorTypeOf(job, result);
  const url = webUrls.job(base, job.organizationSlug, job.pipelineSlug, job.number, job.id);
  return {
    name: job.label ?? job.stepKey ?? job.type,
    kind: 'internal',
    traceId: traceIdOfBuild(job),
    isSampledByCaller: job.traceparent === null ? null : isTraceSampled(job),
    spanId: spanIdOf(job.id),
    parentSpanId: spanIdOf(job.buildId),
    startedAt: job.runnableAt ?? job.createdAt,
    endedAt: job.finishedAt,
    error: error === null || job.softFailed ? null : error,
    attributes: {
      ...attributesOfBuild(job, base),
      'cicd.pipeline.task.name': job.label ?? job.stepKey ?? job.type,
      'cicd.pipeline.task.run.id': job.id,
      'cicd.pipeline.task.run.url.full': url,
      'cicd.pipeline.task.run.result': result,
      'cicd.worker.id': job.agentId,
      'cicd.worker.name': job.agentName,
      'error.type': error,
      'buildkite.step.key': job.stepKey,
      'buildkite.job.id': job.id,
      'buildkite.job.web_url': url,
      'buildkite.job.type': job.type,
      'buildkite.job.label': job.label,
      'buildkite.job.state': job.state,
      'buildkite.job.passed': job.passed,
      'buildkite.job.soft_failed': job.softFailed,
      'buildkite.job.exit_status': job.exitStatus,
      'buildkite.job.signal_reason': job.signalReason,
      'buildkite.job.retried_in_job_id': job.retriedInJobId,
      'buildkite.job.runnable_at': job.runnableAt?.toISOString(),
      'buildkite.job.started_at': job.startedAt?.toISOString(),
      'buildkite.job.finished_at': job.finishedAt.toISOString(),
      'buildkite.job.wait_time_ms':
        job.startedAt && job.runnableAt ? job.startedAt.getTime() - job.runnableAt.getTime() : null,
      'buildkite.agent.id': job.agentId,
      'buildkite.agent.name': job.agentName,
      'buildkite.agent.queue': job.queueKey,
      'buildkite.cluster.name': job.clusterName,
    },
  };
}

/** Exit status of a job that did not fail by itself: its agent was lost, or an agent or stack could not run it. */
const notByItself = -1;

function resultOf({ state, passed, exitStatus, signalReason }: EndedJob): string {
  if (state !== 'finished') return jobResults[state] ?? 'failure';
  if (passed) return 'success';
  return exitStatus === notByItself || signalReason === 'stack_error' ? 'error' : 'failure';
}

function errorTypeOf({ exitStatus, signalReason }: EndedJob, result: string): string | null {
  if (result === 'timeout') return 'timeout';
  if (result !== 'failure' && result !== 'error') return null;
  if (signalReason !== null) return signalReason;
  if (exitStatus === notByItself) return 'agent_lost';
  return exitStatus === null ? '_OTHER' : `exit_status_${exitStatus}`;
}

function attributesOfBuild(build: NamedBuild, base: string): SpanAttributes {
  const url = webUrls.build(base, build.organizationSlug, build.pipelineSlug, build.number);
  return {
    'cicd.pipeline.name': `${build.organizationSlug}/${build.pipelineSlug}`,
    'cicd.pipeline.run.id': build.buildId,
    'cicd.pipeline.run.url.full': url,
    'vcs.repository.url.full': build.repository,
    'vcs.ref.head.name': build.branch,
    'vcs.ref.head.revision': build.commit,
    'buildkite.organization.id': build.organizationId,
    'buildkite.organization.slug': build.organizationSlug,
    'buildkite.pipeline.id': build.pipelineId,
    'buildkite.pipeline.slug': build.pipelineSlug,
    'buildkite.pipeline.name': build.pipelineName,
    'buildkite.pipeline.repo': build.repository,
    'buildkite.build.id': build.buildId,
    'buildkite.build.number': build.number,
    'buildkite.build.branch': build.branch,
    'buildkite.build.commit': build.commit,
    'buildkite.build.source': build.source,
    'buildkite.build.web_url': url,
  };
}
