import { readdirSync, readFileSync } from 'node:fs';
import { columnsByTable } from '../../src/entities/columns-by-table.js';
import { unshownColumns } from '../../src/entities/unshown-columns.js';

/** Columns of unlimited text that may be long; columns of JSON count as long without being named. */
const longTexts = ['body', 'bodyHtml', 'command', 'configuration', 'definition', 'message', 'payload', 'responseBody'];

/** Tables with a long column: a list of their whole rows reads it for every row. */
const largeTables = Object.entries(columnsByTable)
  .filter(([, { all, json }]) => json.length > 0 || all.some((name) => longTexts.includes(name)))
  .map(([table]) => table);

const oneRow = 'one row, or a few of one request';
const shown = 'every column is shown by a surface, and no list shows fewer';
const bounded = 'long columns have small limits';
const ofOperator = "the operator's command, in a process of its own";
const background = 'background work: leases are bounded by bytes there';

/** Every place that reads whole rows of such a table, and why it may. */
const allowed: Readonly<Record<string, string>> = {
  'background/integrations/commit-statuses/compute-statuses.ts builds': oneRow,
  'background/integrations/commit-statuses/take-statuses.ts provider_connections': bounded,
  'engine/notifications/connection-access.ts provider_connections': bounded,
  'operations/integrations/provider-connections/list.ts provider_connections': bounded,
  'resources/installation/provisioning/apply-connections.ts provider_connections': oneRow,
  'resources/installation/provisioning/export-organization.ts provider_connections': bounded,
  'resources/integrations/provider-connections/find-connection.ts provider_connections': oneRow,
  'background/builds/build-due-schedules.ts pipeline_schedules': background,
  'background/builds/revisit-stuck-builds.ts builds': background,
  'background/integrations/reconcile-branches.ts pipelines': background,
  'background/suites/finish-suite-runs.ts suite_runs': background,
  'commands/run/local-build.ts builds': oneRow,
  'commands/run/local-build.ts jobs': oneRow,
  'core/find.ts builds': oneRow,
  'core/find.ts jobs': oneRow,
  'core/find.ts organizations': oneRow,
  'core/find.ts pipelines': oneRow,
  'core/idempotency.ts idempotency_keys': oneRow,
  'engine/agents/release-from-agent.ts jobs': oneRow,
  'engine/new-builds/branch-builds.ts builds': 'builds of one branch that a new one replaces',
  'engine/triggers/start-trigger-job.ts builds': oneRow,
  'engine/triggers/start-trigger-job.ts jobs': oneRow,
  'engine/triggers/start-trigger-job.ts pipelines': oneRow,
  'loaders/loaders.ts jobs': shown,
  'operations/agents/held-jobs.ts jobs': 'a job of each agent of a page',
  'operations/agents/stacks/read-job.ts jobs': oneRow,
  'operations/builds/artifacts/search.ts builds': oneRow,
  'operations/builds/events/get.ts events': oneRow,
  'operations/builds/events/list-of-jobs.ts events': bounded,
  'operations/builds/events/list.ts events': bounded,
  'operations/builds/jobs/list-failures.ts jobs': 'a page of one build, whose texts have a bound together',
  'operations/builds/jobs/list.ts jobs': shown,
  'operations/builds/logs/search.ts jobs': 'a hundred at a time, whose logs are read: 200 times their bytes',
  'operations/builds/retry-failed-jobs.ts jobs': 'a command on all of them',
  'engine/webhook-deliveries/rerun-check.ts builds': oneRow,
  'engine/webhook-deliveries/rerun-check.ts jobs': 'a retry copies their columns',
  'background/integrations/reconcile-branches.ts branch_checks': background,
  'loaders/loaders.ts stacks': bounded,
  'operations/agents/stacks/register.ts stacks': oneRow,
  'operations/installation/provisioning/export.ts organizations': ofOperator,
  'operations/integrations/notification-deliveries/list.ts notification_deliveries': bounded,
  'operations/integrations/webhook-deliveries/get.ts webhook_deliveries': oneRow,
  'operations/organizations/api-tokens/list-organizations.ts organizations': bounded,
  'operations/organizations/audit-events/list.ts audit_events': shown,
  'operations/organizations/list.ts organizations': bounded,
  'operations/organizations/users/create.ts organizations': oneRow,
  'operations/pipelines/badges/read.ts pipelines': oneRow,
  'operations/pipelines/list.ts pipelines': shown,
  'operations/pipelines/schedules/list.ts pipeline_schedules': bounded,
  'engine/notifications/subscribed-services.ts notification_services': bounded,
  'operations/integrations/notification-services/list.ts notification_services': bounded,
  'resources/installation/provisioning/apply-services.ts notification_services': oneRow,
  'resources/installation/provisioning/export-organization.ts notification_services': ofOperator,
  'resources/integrations/notification-services/find-service.ts notification_services': oneRow,
  'operations/pipelines/templates/list.ts pipeline_templates': shown,
  'operations/pipelines/triggers/deliver.ts pipeline_triggers': oneRow,
  'operations/pipelines/triggers/list.ts pipeline_triggers': bounded,
  'operations/suites/suite-runs/list.ts suite_runs': bounded,
  'operations/suites/uploads/create.ts suite_uploads': oneRow,
  'operations/suites/workflows/list-deliveries.ts notification_deliveries': bounded,
  'operations/suites/workflows/list-events.ts test_workflow_events': bounded,
  'operations/suites/workflows/redeliver.ts notification_deliveries': oneRow,
  'resources/suites/workflows/evaluation/judge-tests.ts test_workflows': bounded,
  'resources/suites/workflows/evaluation/send.ts notification_services': bounded,
  'resources/suites/workflows/find-workflow.ts test_workflow_events': oneRow,
  'resources/suites/workflows/find-workflow.ts test_workflows': bounded,
  'resources/suites/test-plans/find-plan.ts test_plans': oneRow,
  'background/integrations/commit-statuses/take-statuses.ts commit_statuses': bounded,
  'background/retention/exports/export-build.ts jobs': 'a page of one build, whose texts have a bound together',
  'background/retention/exports/export-due.ts builds': oneRow,
  'operations/builds/commit-statuses/list.ts commit_statuses': shown,
  'background/builds/find-culprits.ts culprit_searches': oneRow,
  'engine/culprits/advance-search.ts culprit_searches': oneRow,
  'engine/culprits/end-search.ts builds': 'the unfinished builds of one search, eight at most',
  'engine/culprits/insert-culprit-build.ts builds': oneRow,
  'operations/builds/culprit-searches/cancel.ts culprit_searches': oneRow,
  'loaders/references.ts builds': 'builds of the events of one transaction',
  'loaders/references.ts jobs': shown,
  'resources/agents/stacks/find-stack.ts stacks': oneRow,
  'resources/builds/jobs/held-job.ts jobs': oneRow,
  'resources/builds/steps/callers-step.ts steps': oneRow,
  'resources/installation/check/builds/build-checks.ts builds': oneRow,
  'resources/installation/oidc-keys/oidc-keys.ts oidc_keys': bounded,
  'resources/installation/provisioning/apply-organizations.ts organizations': oneRow,
  'resources/installation/provisioning/apply-pipelines.ts pipeline_schedules': oneRow,
  'resources/installation/provisioning/apply-pipelines.ts pipelines': oneRow,
  'resources/installation/provisioning/apply-templates.ts pipeline_templates': oneRow,
  'resources/installation/provisioning/export-organization.ts pipeline_templates': ofOperator,
  'resources/installation/provisioning/export-pipelines.ts pipeline_schedules': ofOperator,
  'resources/installation/provisioning/export-pipelines.ts pipelines': ofOperator,
  'resources/integrations/notification-deliveries/find-delivery.ts notification_deliveries': oneRow,
  'resources/organizations/audit-events/find-audit-event.ts audit_events': oneRow,
  'resources/organizations/banners/find-banner.ts organization_banners': bounded,
  'resources/pipelines/schedules/find-schedule.ts pipeline_schedules': oneRow,
  'resources/pipelines/templates/find-template.ts pipeline_templates': oneRow,
  'resources/pipelines/triggers/find-trigger.ts pipeline_triggers': oneRow,
  'resources/suites/suite-runs/find-run.ts suite_runs': oneRow,
  'resources/suites/uploads/lock-run.ts suite_runs': oneRow,
};

/** The table that each `selectAll` of a file reads, by its alias or by the nearest `selectFrom`. */
function wholeRowsIn(source: string): string[] {
  return [...source.matchAll(/selectAll\((?:'(\w+)')?/g)].map((match) => {
    const before = source.slice(0, match.index);
    const ofAlias = match[1] && before.match(new RegExp(`'(\\w+) as ${match[1]}'`, 'g'))?.at(-1);
    const from = ofAlias || [...before.matchAll(/selectFrom\(\s*'(\w+)/g)].at(-1)?.[0];
    return /'(\w+)/.exec(from ?? '')?.[1] ?? '?';
  });
}

const uses = (readdirSync('src', { recursive: true }) as string[])
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => wholeRowsIn(readFileSync(`src/${name}`, 'utf8')).map((table) => `${name} ${table}`));

test('whole rows of tables with long columns are read only where a reason says why', () => {
  const large = [...new Set(uses)].filter((use) => largeTables.includes(use.split(' ')[1] ?? ''));
  expect(large.filter((use) => !(use in allowed)).sort()).toEqual([]);
  expect(Object.keys(allowed).filter((use) => !large.includes(use))).toEqual([]);
});

test('columns that no list shows exist, and their tables are among those with long columns', () => {
  for (const [table, columns] of Object.entries(unshownColumns)) {
    expect(largeTables).toContain(table);
    expect(columnsByTable[table]?.all).toEqual(expect.arrayContaining([...columns]));
  }
});
