import { anyObject, anything, flag, integer, list, nothing, object, oneOf, orNull, reference, text, time, url, uuid, word } from './schema.js';

export const jobReply = oneOf(reference('ScriptJob'), reference('WaiterJob'), reference('ManualJob'), reference('TriggerJob'));

export const waiterJobReply = object({ id: uuid(), graphql_id: text(), type: word('waiter') });

export const manualJobReply = object({
  id: uuid(), graphql_id: text(), type: word('manual'), label: text(), state: text(), step_key: orNull(text()), web_url: nothing(),
  unblocked_by: orNull(reference('User')), unblocked_at: orNull(time()), unblockable: flag(), unblock_url: url(),
});

export const triggerJobReply = object({
  id: uuid(), graphql_id: text(), type: word('trigger'), name: orNull(text()), step_key: orNull(text()), state: text(), async: flag(), build_url: url(), web_url: url(),
  created_at: time(), scheduled_at: orNull(time()), runnable_at: orNull(time()), started_at: orNull(time()), finished_at: orNull(time()),
  triggered_build: orNull(reference('BuildSummary')),
});

export const scriptJobReply = object(
  {
    id: uuid(), graphql_id: text(), type: word('script'), name: orNull(text()), step_key: orNull(text()),
    step: object({ id: uuid(), signature: orNull(anyObject()) }), priority: object({ number: integer() }), agent_query_rules: list(text()), state: text(),
    build_url: url(), web_url: url(), log_url: url(), raw_log_url: url(), artifacts_url: url(), command: orNull(text()),
    soft_failed: flag(), exit_status: orNull(integer()), signal: orNull(text()), signal_reason: orNull(text()), broken_reason: orNull(text()),
    artifact_paths: orNull(text()), agent: orNull(reference('Agent')),
    created_at: time(), scheduled_at: orNull(time()), runnable_at: orNull(time()), concurrency_wait_time_ms: orNull(integer()),
    started_at: orNull(time()), finished_at: orNull(time()), expired_at: orNull(time()),
    retried: flag(), retried_in_job_id: orNull(uuid()), retries_count: orNull(integer()),
    retry_source: orNull(object({ job_id: uuid(), retry_type: orNull(text()) })), retry_type: orNull(text()),
    parallel_group_index: orNull(integer()), parallel_group_total: orNull(integer()), matrix: anything(), retried_by: orNull(reference('User')),
    cluster_id: orNull(uuid()), cluster_url: orNull(url()), cluster_queue_id: orNull(uuid()), cluster_queue_url: orNull(url()),
  },
  { group_key: orNull(text()), promised_exit_status: orNull(integer()), promised_exit_status_at: time() },
);

export const agentReply = object({
  id: uuid(), graphql_id: text(), url: url(), web_url: url(), name: text(), connection_state: text(), ip_address: orNull(text()), hostname: orNull(text()),
  user_agent: orNull(text()), version: orNull(text()), creator: orNull(reference('User')), created_at: time(), job: nothing(),
  last_job_finished_at: orNull(time()), priority: orNull(integer()), meta_data: list(text()),
});

/** An agent on its own: with its job, and what became of it. */
export const agentWithJobReply = object({
  id: uuid(), graphql_id: text(), url: url(), web_url: url(), name: text(), connection_state: word('never_connected', 'connected', 'disconnected', 'stopping', 'stopped', 'lost'),
  ip_address: orNull(text()), hostname: orNull(text()), user_agent: orNull(text()), version: orNull(text()), os_id: orNull(text()), arch: orNull(text()), queue: orNull(text()),
  creator: orNull(reference('User')), created_at: time(), connected_at: orNull(time()), disconnected_at: orNull(time()), lost_at: orNull(time()), stopped_at: orNull(time()),
  job: orNull(reference('ScriptJob')), last_job_finished_at: orNull(time()), priority: orNull(integer()), meta_data: list(text()),
  paused: flag(), paused_at: orNull(time()), paused_by: orNull(reference('User')), paused_note: orNull(text()), paused_timeout_in_minutes: orNull(integer()),
});

export const logReply = object({ url: url(), content: text(), size: integer(), header_times: list(integer()) });
