import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import type { SuiteTestRow } from '../../entities/database.js';
import { Urls } from './urls.js';
import { existing } from './values.js';

/** A test of a suite with how it has done so far (rest-facts 3.8). */
export async function presentSuiteTest(context: Context, test: SuiteTestRow): Promise<JsonObject> {
  const [organization, suite, metrics] = await Promise.all([
    context.load.organization.load(test.organizationId),
    context.load.suite.load(test.suiteId),
    context.load.testMetrics.load(test.id),
  ]);
  const { api, web } = Urls.of(context).test(existing(organization, 'an organization'), existing(suite, 'a suite'), test.id);
  return {
    id: test.id,
    url: api,
    web_url: web,
    scope: test.scope,
    name: test.name,
    location: test.location,
    file_name: test.fileName,
    labels: test.labels,
    state: test.state,
    reliability: metrics.reliability,
    duration_avg: metrics.durationAverage,
    duration_sum: metrics.durationSum,
    duration_min: metrics.durationMinimum,
    duration_max: metrics.durationMaximum,
    executions_count: metrics.executionsCount,
    executions_count_by_result: metrics.countByResult,
  };
}
