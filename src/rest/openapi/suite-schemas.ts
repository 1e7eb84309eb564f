import { integer, list, mapOf, nothing, object, orNull, text, time, url, uuid, word } from './schema.js';

export const suiteReply = object(
  {
    id: uuid(), graphql_id: text(), organization_id: uuid(), slug: text(), name: text(), url: url(), web_url: url(), default_branch: text(),
    application_name: orNull(text()), color: orNull(text()), emoji: orNull(text()), oidc_policy: nothing(),
  },
  { api_token: orNull(text()) },
);

export const runReply = object({
  id: uuid(), branch: text(), commit_sha: text(), state: word('running', 'finished'), result: word('pending', 'passed', 'failed', 'stale'),
  url: url(), web_url: url(), build_id: orNull(uuid()), created_at: time(),
});

const number = () => ({ type: 'number' });
const result = word('passed', 'failed', 'skipped', 'pending', 'unknown');
const detail = object({ expanded: list(text()), backtrace: list(text()) });

export const executionReply = object(
  {
    execution_id: uuid(), run_id: uuid(), test_id: uuid(), run_name: text(), commit_sha: text(), created_at: time(), branch: text(), failure_reason: orNull(text()),
    duration: orNull(number()), location: orNull(text()), test_name: text(), run_url: url(), test_url: url(), test_execution_url: url(), tags: mapOf(text()),
  },
  { failure_expanded: list(detail), result },
);

export const suiteTestReply = object({
  id: uuid(), url: url(), web_url: url(), scope: text(), name: text(), location: orNull(text()), file_name: orNull(text()), labels: list(text()),
  state: word('enabled', 'muted', 'skipped'), reliability: orNull(number()), duration_avg: orNull(number()), duration_sum: orNull(number()), duration_min: orNull(number()), duration_max: orNull(number()),
  executions_count: integer(), executions_count_by_result: object({ passed: integer(), failed: integer(), skipped: integer(), pending: integer(), unknown: integer() }),
});
