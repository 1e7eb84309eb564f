import { anything, flag, integer, list, mapOf, object, oneOf, orNull, reference, text, time, url, uuid, word } from './schema.js';

const scriptStep = object({
  type: word('script'), name: orNull(text()), command: orNull(text()), artifact_paths: orNull(text()), branch_configuration: orNull(text()), env: mapOf(text()),
  timeout_in_minutes: orNull(integer()), agent_query_rules: list(text()), concurrency: orNull(integer()), parallelism: orNull(integer()),
});
const triggerStep = object({
  type: word('trigger'), label: orNull(text()), pipeline: text(),
  build: object({ message: orNull(text()), branch: orNull(text()), commit: orNull(text()), env: orNull(mapOf(text())) }),
  async: flag(), branch_configuration: orNull(text()), concurrency: orNull(integer()), parallelism: orNull(integer()),
});

export const stepReply = oneOf(scriptStep, object({ type: word('waiter') }), object({ type: word('manual'), label: orNull(text()) }), triggerStep);

export const pipelineReply = object(
  {
    id: uuid(), graphql_id: text(), url: url(), web_url: url(), name: text(), description: orNull(text()), slug: text(), repository: text(),
    cluster_id: orNull(uuid()), pipeline_template_uuid: orNull(uuid()), branch_configuration: orNull(text()), default_branch: text(),
    skip_queued_branch_builds: flag(), skip_queued_branch_builds_filter: orNull(text()),
    cancel_running_branch_builds: flag(), cancel_running_branch_builds_filter: orNull(text()), allow_rebuilds: flag(),
    provider: object({ id: text(), settings: mapOf(anything()), webhook_url: text() }),
    builds_url: url(), badge_url: url(), created_by: orNull(reference('User')), created_at: time(), archived_at: orNull(time()), env: mapOf(text()),
    scheduled_builds_count: integer(), running_builds_count: integer(), scheduled_jobs_count: integer(), running_jobs_count: integer(), waiting_jobs_count: integer(),
    visibility: word('private', 'public'), tags: list(text()), steps: list(reference('Step')),
    default_command_step_timeout: orNull(integer()), maximum_command_step_timeout: orNull(integer()), color: orNull(text()), emoji: orNull(text()),
  },
  { configuration: text(), clone_mirror_url: text() },
);

export const pipelineTemplateReply = object({
  uuid: uuid(), graphql_id: text(), name: text(), description: text(), configuration: text(), available: flag(), url: url(), web_url: url(),
  created_at: time(), created_by: orNull(reference('User')), updated_at: time(), updated_by: orNull(reference('User')),
});

export const pipelineScheduleReply = object({
  id: uuid(), graphql_id: text(), url: url(), label: text(), cronline: text(), message: orNull(text()), commit: text(), branch: text(), env: mapOf(text()), enabled: flag(),
  next_build_at: orNull(time()), failed_message: orNull(text()), failed_at: orNull(time()), created_at: time(), created_by: orNull(reference('User')),
  pipeline: object({ id: uuid(), slug: text(), url: url() }),
});
