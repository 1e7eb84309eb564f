import type { Json, JsonObject } from '../../domain/pipelines/steps/step.js';
import { isCanonicalSha } from '../../domain/builds/git-commit-text.js';
import { objectAt, textAt } from '../build-facts.js';

/** Most entries of a list in a request: a limit of Datadog. */
const longestList = 1000;

const pipelineStatuses: Readonly<Record<string, string>> = {
  passed: 'success',
  failed: 'error',
  canceled: 'canceled',
  blocked: 'blocked',
  skipped: 'skipped',
  not_run: 'skipped',
};
const jobStatuses: Readonly<Record<string, string>> = {
  passed: 'success',
  failed: 'error',
  timed_out: 'error',
  expired: 'error',
  canceled: 'canceled',
  broken: 'skipped',
  skipped: 'skipped',
};

/**
 * The resource of CI Visibility for a build that ended or waits (`pipeline`) or a job that ended (`job`); null for one
 * that has no beginning or no status there, such as a job that never ran.
 */
export function resourceOf(payload: JsonObject, tags: readonly string[]): JsonObject | null {
  const job = objectAt(payload, 'job');
  return 'job' in payload ? jobResource(payload, job, tags) : pipelineResource(payload, tags);
}

function pipelineResource(payload: JsonObject, tags: readonly string[]): JsonObject | null {
  const build = objectAt(payload, 'build');
  const status = pipelineStatuses[build['blocked'] === true ? 'blocked' : (textAt(build, 'state') ?? '')];
  const end = textAt(build, 'finished_at') ?? textAt(build, 'failing_at') ?? textAt(build, 'started_at');
  const start = textAt(build, 'started_at') ?? textAt(build, 'created_at');
  if (status === undefined || start === null) return null;
  const failed = status === 'error';
  return {
    level: 'pipeline',
    unique_id: textAt(build, 'id'),
    name: nameOf(payload),
    url: textAt(build, 'web_url'),
    start,
    end: end !== null && end > start ? end : start,
    status,
    partial_retry: false,
    queue_time: between(textAt(build, 'created_at'), textAt(build, 'started_at')),
    ...gitOf(payload),
    ...labelsOf(objectAt(build, 'meta_data'), tags, [`build_number:${String(build['number'] ?? '')}`]),
    ...(failed ? { error: { message: 'The build failed.', type: 'build_failed', domain: 'user' } } : {}),
  };
}

function jobResource(payload: JsonObject, job: JsonObject, tags: readonly string[]): JsonObject | null {
  const build = objectAt(payload, 'build');
  const status = jobStatuses[textAt(job, 'state') ?? ''];
  const [start, end] = [textAt(job, 'started_at'), textAt(job, 'finished_at')];
  if (status === undefined || start === null || end === null) return null;
  const agent = objectAt(job, 'agent');
  const exit = job['exit_status'];
  return {
    level: 'job',
    id: textAt(job, 'id'),
    name: textAt(job, 'name') ?? textAt(job, 'step_key') ?? textAt(job, 'command')?.slice(0, 100) ?? 'job',
    pipeline_unique_id: textAt(build, 'id'),
    pipeline_name: nameOf(payload),
    url: textAt(job, 'web_url'),
    start,
    end,
    status,
    queue_time: between(textAt(job, 'runnable_at'), start),
    ...gitOf(payload),
    ...('id' in agent
      ? {
          node: {
            name: textAt(agent, 'name'),
            hostname: textAt(agent, 'hostname'),
            labels: listAt(agent, 'meta_data'),
          },
        }
      : {}),
    ...labelsOf(objectAt(build, 'meta_data'), tags, [`exit_status:${String(exit ?? '')}`]),
    ...(status === 'error' ? { error: errorOf(job) } : {}),
  };
}

function errorOf(job: JsonObject): JsonObject {
  const [exit, reason] = [job['exit_status'], textAt(job, 'signal_reason')];
  const isOurs = exit === -1 || reason === 'stack_error' || reason === 'agent_refused';
  return {
    message: exit === null || exit === undefined ? 'The job did not end by itself.' : `Exit status ${String(exit)}`,
    type: reason ?? (exit === -1 ? 'agent_lost' : `exit_status_${String(exit ?? 'none')}`),
    domain: isOurs ? 'provider' : 'user',
  };
}

const nameOf = (payload: JsonObject): string => textAt(objectAt(payload, 'pipeline'), 'slug') ?? 'pipeline';

/** Datadog takes whole SHAs only, and no commit without an address of its author. */
function gitOf(payload: JsonObject): JsonObject {
  const [build, pipeline] = [objectAt(payload, 'build'), objectAt(payload, 'pipeline')];
  const sha = textAt(build, 'commit') ?? '';
  const email = textAt(objectAt(build, 'author'), 'email') ?? textAt(objectAt(build, 'creator'), 'email');
  if (!isCanonicalSha(sha) || email === null) return {};
  return {
    git: {
      repository_url: textAt(pipeline, 'repository'),
      sha,
      branch: textAt(build, 'branch'),
      ...(textAt(build, 'tag') === null ? {} : { tag: textAt(build, 'tag') }),
      message: textAt(build, 'message')?.slice(0, 1000) ?? '',
      author_name: textAt(objectAt(build, 'author'), 'name') ?? textAt(objectAt(build, 'creator'), 'name') ?? '',
      author_email: email,
    },
  };
}

/** Meta-data `dd_tags.<key>` becomes a tag, `dd_measures.<key>` a number. */
function labelsOf(metaData: JsonObject, tags: readonly string[], more: readonly string[]): JsonObject {
  const named = (prefix: string) =>
    Object.entries(metaData)
      .filter(([key]) => key.startsWith(prefix) && key.length > prefix.length)
      .map(([key, value]) => [key.slice(prefix.length), String(value)] as const);
  const metrics = named('dd_measures.').filter(([, value]) => value.trim() !== '' && Number.isFinite(Number(value)));
  const all = [...tags, ...named('dd_tags.').map(([key, value]) => `${key}:${value}`), ...more];
  return {
    tags: all.slice(0, longestList),
    ...(metrics.length > 0
      ? { metrics: metrics.slice(0, longestList).map(([key, value]) => `${key}:${Number(value)}`) }
      : {}),
  };
}

const listAt = (value: JsonObject, name: string): Json[] => {
  const list = value[name];
  return Array.isArray(list) ? list.slice(0, longestList) : [];
};

function between(from: string | null, to: string | null): number {
  return from === null || to === null ? 0 : Math.max(0, Date.parse(to) - Date.parse(from));
}
