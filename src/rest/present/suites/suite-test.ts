import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { TestMetrics } from '../../../domain/suites/results/metrics.js';
import type { SuiteTestRow } from '../../../entities/database.js';
import { isMeasured, type MeasuredTest, metricsOf } from '../../../resources/suites/measured-tests/measured-test.js';
import {
  arrayOf,
  described,
  enumOf,
  integer,
  nullable,
  number,
  object,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { type Field, type Fields, field, resource } from '../fields.js';
import { type Links, Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';

interface SuiteTestSource {
  test: SuiteTestRow;
  links: Links;
  metrics: TestMetrics;
}

const counts = {
  passed: described(integer, 'Number of executions that passed.'),
  failed: described(integer, 'Number of executions that failed.'),
  skipped: described(integer, 'Number of executions that were skipped.'),
  pending: described(integer, 'Number of executions without a result yet.'),
  unknown: described(integer, 'Number of executions with an unknown result.'),
};

/** The fields of a test with metrics of its executions; `counted` are the executions by result. */
export const testFields = (counted: Field<SuiteTestSource>): Fields<SuiteTestSource> => ({
  id: field(uuid, 'ID of the test.', ({ test }) => test.id),
  url: field(url, 'API URL of the test.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the test.', ({ links }) => links.web),
  scope: field(text, 'Scope of the test, such as its class or `describe` block.', ({ test }) => test.scope),
  name: field(text, 'Name of the test.', ({ test }) => test.name),
  location: field(nullable(text), 'File and line of the test.', ({ test }) => test.location),
  file_name: field(nullable(text), 'File of the test.', ({ test }) => test.fileName),
  labels: field(arrayOf(text), 'Labels of the test.', ({ test }) => test.labels),
  owners: field(
    arrayOf(text),
    'Slugs of the teams that own the test, the first before all.',
    ({ test }) => test.owners,
  ),
  state: field(
    enumOf('enabled', 'muted', 'skipped'),
    'Whether the test runs, runs without its failures counting, or is skipped.',
    ({ test }) => test.state,
  ),
  state_until: field(
    nullable(time),
    'Time at which a muted or skipped test is enabled again; null for never.',
    ({ test }) => timeOrNull(test.stateUntil),
  ),
  reliability: field(
    nullable(number),
    'Share of executions that passed, from 0 to 1.',
    ({ metrics }) => metrics.reliability,
  ),
  duration_avg: field(nullable(number), 'Average duration in seconds.', ({ metrics }) => metrics.durationAverage),
  duration_sum: field(nullable(number), 'Total duration in seconds.', ({ metrics }) => metrics.durationSum),
  duration_min: field(nullable(number), 'Shortest duration in seconds.', ({ metrics }) => metrics.durationMinimum),
  duration_max: field(nullable(number), 'Longest duration in seconds.', ({ metrics }) => metrics.durationMaximum),
  executions_count: field(integer, 'Number of executions.', ({ metrics }) => metrics.executionsCount),
  executions_count_by_result: counted,
});

/** A test of a suite with the metrics of its executions. */
export const suiteTestResource = resource(
  testFields(field(object(counts), 'Number of executions by result.', ({ metrics }) => metrics.countByResult)),
);

const { passed, failed, ...others } = counts;

/** A test with the metrics of its executions in one build. */
export const buildTestResource = resource(
  testFields(
    field(
      object({ passed, failed }, others),
      'Number of executions by result. Those that passed and failed are always there, others where there are any.',
      ({ metrics: { countByResult } }) =>
        Object.fromEntries(
          Object.entries(countByResult).filter(([result, count]) => count > 0 || result in { passed, failed }),
        ),
    ),
  ),
);

/** A test that counts as flaky, as the deprecated list of them has it. */
export const flakyTestResource = resource<Pick<SuiteTestSource, 'test' | 'links'> & { ownerIds: string[] }>({
  id: field(uuid, 'ID of the test.', ({ test }) => test.id),
  web_url: field(url, 'URL of the page of the test.', ({ links }) => links.web),
  scope: field(text, 'Scope of the test, such as its class or `describe` block.', ({ test }) => test.scope),
  name: field(text, 'Name of the test.', ({ test }) => test.name),
  location: field(nullable(text), 'File and line of the test.', ({ test }) => test.location),
  file_name: field(nullable(text), 'File of the test.', ({ test }) => test.fileName),
  instances: field(integer, 'Number of commits on which it has passed and failed.', ({ test }) => test.flakyCount),
  latest_occurrence_at: field(nullable(time), 'Time of the latest of them.', ({ test }) => timeOrNull(test.flakyAt)),
  most_recent_instance_at: field(nullable(time), 'The same.', ({ test }) => timeOrNull(test.flakyAt)),
  last_resolved_at: field(nullable(time), 'Time it recovered last; null for never.', ({ test }) =>
    timeOrNull(test.flakyResolvedAt),
  ),
  ownership_team_ids: field(
    arrayOf(uuid),
    'IDs of the teams that own the test, the first before all.',
    ({ ownerIds }) => ownerIds,
  ),
});

export async function presentFlakyTest(context: Context, test: SuiteTestRow): Promise<JsonObject> {
  const [links, ownerIds] = await Promise.all([linksOf(context, test), context.load.ownersOfTest.load(test.id)]);
  return flakyTestResource.present({ test, links, ownerIds });
}

export async function presentSuiteTest(context: Context, test: SuiteTestRow | MeasuredTest): Promise<JsonObject> {
  const stored = () => context.load.testMetrics.load(test.id);
  const [links, metrics] = await Promise.all([linksOf(context, test), isMeasured(test) ? metricsOf(test) : stored()]);
  return suiteTestResource.present({ test, links, metrics });
}

export async function presentBuildTest(context: Context, test: MeasuredTest): Promise<JsonObject> {
  const links = await linksOf(context, test);
  return buildTestResource.present({ test, links, metrics: metricsOf(test) });
}

async function linksOf(context: Context, test: SuiteTestRow): Promise<Links> {
  const [organization, suite] = await Promise.all([
    context.load.organization.load(test.organizationId),
    context.load.suite.load(test.suiteId),
  ]);
  return Urls.of(context).test(existing(organization, 'an organization'), existing(suite, 'a suite'), test.id);
}
