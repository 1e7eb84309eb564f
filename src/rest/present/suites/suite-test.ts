import type { Context } from '../../../context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { SuiteTestRow } from '../../../entities/database.js';
import {
  arrayOf,
  described,
  enumOf,
  integer,
  nullable,
  number,
  object,
  text,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { type Links, Urls } from '../urls.js';
import { existing } from '../values.js';

interface SuiteTestSource {
  test: SuiteTestRow;
  links: Links;
  metrics: Awaited<ReturnType<Context['load']['testMetrics']['load']>>;
}

const countsSchema = object({
  passed: described(integer, 'Number of executions that passed.'),
  failed: described(integer, 'Number of executions that failed.'),
  skipped: described(integer, 'Number of executions that were skipped.'),
  pending: described(integer, 'Number of executions without a result yet.'),
  unknown: described(integer, 'Number of executions with an unknown result.'),
});

/** A test of a suite with the metrics of its executions. */
export const suiteTestResource = resource<SuiteTestSource>({
  id: field(uuid, 'ID of the test.', ({ test }) => test.id),
  url: field(url, 'API URL of the test.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the test.', ({ links }) => links.web),
  scope: field(text, 'Scope of the test, such as its class or `describe` block.', ({ test }) => test.scope),
  name: field(text, 'Name of the test.', ({ test }) => test.name),
  location: field(nullable(text), 'File and line of the test.', ({ test }) => test.location),
  file_name: field(nullable(text), 'File of the test.', ({ test }) => test.fileName),
  labels: field(arrayOf(text), 'Labels of the test.', ({ test }) => test.labels),
  state: field(
    enumOf('enabled', 'muted', 'skipped'),
    'Whether the test runs, runs without its failures counting, or is skipped.',
    ({ test }) => test.state,
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
  executions_count_by_result: field(
    countsSchema,
    'Number of executions by result.',
    ({ metrics }) => metrics.countByResult,
  ),
});

export async function presentSuiteTest(context: Context, test: SuiteTestRow): Promise<JsonObject> {
  const [organization, suite, metrics] = await Promise.all([
    context.load.organization.load(test.organizationId),
    context.load.suite.load(test.suiteId),
    context.load.testMetrics.load(test.id),
  ]);
  const links = Urls.of(context).test(existing(organization, 'an organization'), existing(suite, 'a suite'), test.id);
  return suiteTestResource.present({ test, links, metrics });
}
