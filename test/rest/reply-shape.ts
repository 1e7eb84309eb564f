import { z } from 'zod';
import { closed } from '../support/documented-replies.js';
import { type SchemaName, schemas } from '../../src/rest/openapi/schemas.js';

const validators = new Map<SchemaName, z.ZodType>();

/** Holds a reply against the shape that openapi.json promises. */
export function expectShape(name: SchemaName, body: unknown): void {
  const known =
    validators.get(name) ??
    z.fromJSONSchema(
      JSON.parse(
        JSON.stringify({ $ref: `#/$defs/${name}`, $defs: closed(schemas) }).replaceAll(
          '#/components/schemas/',
          '#/$defs/',
        ),
      ),
    );
  validators.set(name, known);
  const result = known.safeParse(body);
  expect(result.success ? null : z.prettifyError(result.error)).toBeNull();
}

/** Keys in the order recorded from the real service (rest-facts 9.5); later keys may follow, or stand between. */
export const goldenKeys = {
  pipeline:
    'id, graphql_id, url, web_url, name, description, slug, repository, cluster_id, branch_configuration, default_branch, skip_queued_branch_builds, skip_queued_branch_builds_filter, cancel_running_branch_builds, cancel_running_branch_builds_filter, allow_rebuilds, provider, builds_url, badge_url, created_by, created_at, archived_at, env, scheduled_builds_count, running_builds_count, scheduled_jobs_count, running_jobs_count, waiting_jobs_count, visibility, tags, configuration, steps',
  build:
    'id, graphql_id, url, web_url, number, state, blocked, blocked_state, message, commit, branch, tag, env, source, author, creator, created_at, scheduled_at, started_at, finished_at, meta_data, pull_request, rebuilt_from, pipeline, jobs',
  script:
    'id, graphql_id, type, name, step_key, priority, agent_query_rules, state, build_url, web_url, log_url, raw_log_url, artifacts_url, command, soft_failed, exit_status, artifact_paths, agent, created_at, scheduled_at, runnable_at, started_at, finished_at, expired_at, retried, retried_in_job_id, retries_count, retry_type, parallel_group_index, parallel_group_total, matrix',
  waiter: 'id, graphql_id, type',
  manual: 'id, graphql_id, type, label, state, step_key, web_url, unblocked_by, unblocked_at, unblockable, unblock_url',
  trigger:
    'id, graphql_id, type, name, step_key, state, async, web_url, created_at, scheduled_at, runnable_at, started_at, finished_at, triggered_build',
  organization: 'id, graphql_id, url, web_url, name, slug, pipelines_url, agents_url, emojis_url, created_at',
  user: 'id, graphql_id, name, email, avatar_url, created_at',
} as const;

export function expectGoldenKeys(name: keyof typeof goldenKeys, body: object): void {
  const golden = goldenKeys[name].split(', ');
  expect(Object.keys(body).filter((key) => golden.includes(key))).toEqual(golden);
}
