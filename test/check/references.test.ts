import { columnsByTable } from '../../src/entities/columns-by-table.js';
import { references } from '../../src/resources/installation/check/references.js';
import { storedName } from '../../src/database/row-conversion.js';

/** Columns that may name what is not there any more, or never was in this database. */
const loose = [
  // Who did something, and with what: the account, token or agent may be gone since.
  /_by_id$/,
  /^(audit_events|events|idempotency_keys)\./,
  /^jobs\.(agent_id|stack_id|cluster_id|cluster_queue_id|triggered_build_id|retried_in_job_id|retry_source_id)$/,
  // Checked as the paths of retries, or as what a trigger job waits for, above; a build keeps what made it.
  /^builds\.(creator_id|pipeline_schedule_id|culprit_search_id|rebuilt_from_id|triggered_from_job_id|pull_request_id)$/,
  // Every row of a tenant: those that are found through it are in the list.
  /\.organization_id$/,
  // Set by whoever uploads, and by deliveries that are forgotten after some days.
  /^(suite_runs\.(build_id|job_id)|suite_executions\.(suite_id|upload_id)|suite_uploads\.suite_id)$/,
  // Statuses that were sent over a connection stay, and so does the ID of an App at its provider.
  /^(commit_statuses\.(connection_id|superseded_by_id)|provider_connections\.app_id)$/,
  /^webhook_delivery_builds\.(delivery_id|pipeline_id)$/,
  /^(webhook_deliveries\.delivery_id|pipeline_webhooks\.(external_id|provider_connection_id)|pipelines\.provider_id)$/,
  // Beside a build or job that is in the list, for lists alone.
  /^(jobs|artifacts|commit_statuses|log_extracts)\.pipeline_id$/,
  // Hashes of the lines of a job outlive it.
  /^passed_logs\.job_id$/,
  /^(step_uploads\.job_id|steps\.(group_id|uploaded_by_job_id)|artifacts\.batch_id)$/,
  /^(notifications\.(pipeline_id|build_id)|notification_deliveries\.(service_id|redelivery_of_id|build_notification_id))$/,
  /^build_notifications\.(pipeline_id|step_id)$/,
  /^(agents\.(agent_token_id|cluster_queue_id|machine_id)|stacks\.cluster_queue_id)$/,
  // A search keeps its verdicts when the builds that it looked at are deleted.
  /^(culprit_searches\.(pipeline_id|good_build_id|bad_build_id)|culprit_builds\.build_id)$/,
  // No rows of another table.
  /^(deletions\.resource_id|(rate_limit|graphql_point)_counts\.subject_id|pipeline_counts\.pipeline_id|installations\.installation_id)$/,
  // An event of the workflow that may be older than those which are kept.
  /^test_workflow_states\.alarm_id$/,
  /^(work_claims\.process_id|storage_sizes\.owner_id|insight_rollups\.pipeline_id|agent_time_rollups\.cluster(_queue)?_id)$/,
  // Builds whose rows are gone and whose bytes are not yet.
  /^retention_leftovers\.build_id$/,
];

test('each column that ends in an id is checked, or may name what is not there', () => {
  const checked = new Set(references.map(({ table, column }) => `${table}.${column}`));
  const columns = Object.entries(columnsByTable).flatMap(([table, { all }]) =>
    all.filter((name) => name.endsWith('Id')).map((name) => `${table}.${storedName(name)}`),
  );
  expect(columns.length).toBeGreaterThan(150);
  expect(columns.filter((name) => !checked.has(name) && !loose.some((pattern) => pattern.test(name)))).toEqual([]);
  expect([...checked].filter((name) => !columns.includes(name))).toEqual([]);
});
