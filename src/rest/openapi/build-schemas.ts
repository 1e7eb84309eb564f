import { anything, flag, integer, list, mapOf, nothing, object, oneOf, orNull, reference, text, time, url, uuid, word } from './schema.js';

export const buildSummaryReply = object({ id: uuid(), number: integer(), url: url() }, { web_url: url() });

const author = object({}, { name: orNull(text()), email: orNull(text()), username: orNull(text()) });
const pullRequest = object({}, { id: text(), base: orNull(text()), repository: orNull(text()), labels: list(text()), draft: flag() });

const buildFields = {
  id: uuid(), graphql_id: text(), url: url(), web_url: url(), number: integer(),
  state: word('creating', 'scheduled', 'running', 'passed', 'failing', 'failed', 'canceling', 'canceled', 'skipped', 'not_run'),
  blocked: flag(), blocked_state: orNull(word('passed', 'failed', 'running')), message: orNull(text()), commit: text(), branch: text(), tag: orNull(text()),
  env: mapOf(anything()), source: word('api', 'ui', 'webhook', 'schedule', 'trigger_job'), author: oneOf(author, nothing()), creator: orNull(reference('User')),
  created_at: time(), scheduled_at: orNull(time()), started_at: orNull(time()), finished_at: orNull(time()), meta_data: mapOf(text()),
  pull_request: pullRequest, rebuilt_from: orNull(reference('BuildSummary')), cancel_reason: orNull(text()), failing_at: orNull(time()),
  triggered_from: orNull(object({ build_id: uuid(), build_number: integer(), build_pipeline_slug: text() })), merge_queue: nothing(),
};
const optionalBuildFields = { pipeline: reference('Pipeline'), jobs: list(reference('Job')), job_state_counts: object({ total: integer(), states: mapOf(integer()) }), test_engine: object({ runs: list(object({ id: uuid(), suite: object({ id: uuid(), slug: text() }) })) }) };

export const buildReply = object(buildFields, optionalBuildFields);

/** The reply to the retry of all failed jobs alone says how many there were (rest-facts 2.2.1). */
export const buildAfterRetryReply = object({ ...buildFields, retried_jobs_count: integer() }, optionalBuildFields);
