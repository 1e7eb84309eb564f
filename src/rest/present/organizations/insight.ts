import type { Context } from '../../../request/context.js';
import type { Insight } from '../../../domain/builds/insights/insight.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { integer, largeInteger, nullable, number, text } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';

const seconds = nullable(number);

export const insightResource = resource<Insight>({
  key: field(
    text,
    'Slug of the pipeline, branch, key of the queue, slug of the pipeline and name of the step, ' +
      'or beginning of the day or hour.',
    ({ key }) => key,
  ),
  builds: field(integer, 'Number of builds that have ended.', ({ builds }) => builds),
  failed: field(integer, 'Number of them that failed; of a queue or step by a job there.', ({ failed }) => failed),
  duration_p50: field(
    seconds,
    'Median of the seconds that builds took; of a queue or step those of jobs.',
    ({ durationP50 }) => durationP50,
  ),
  duration_p90: field(seconds, 'The same, of 90 percent.', ({ durationP90 }) => durationP90),
  duration_p95: field(seconds, 'The same, of 95 percent.', ({ durationP95 }) => durationP95),
  wait_p50: field(seconds, 'Median of the seconds for which jobs waited for an agent.', ({ waitP50 }) => waitP50),
  wait_p90: field(seconds, 'The same, of 90 percent.', ({ waitP90 }) => waitP90),
  wait_p95: field(seconds, 'The same, of 95 percent.', ({ waitP95 }) => waitP95),
  retried: field(integer, 'Number of jobs that were run again.', ({ retried }) => retried),
  agent_seconds: field(number, 'Seconds for which agents ran jobs.', ({ agentSeconds }) => agentSeconds),
  cost: field(
    nullable(number),
    'What these seconds cost at the present prices of their queues; null where none of the queues has a price.',
    ({ cost }) => cost,
  ),
  log_bytes: field(
    largeInteger,
    'Bytes of the logs of jobs, those that have been deleted aside.',
    ({ logBytes }) => logBytes,
  ),
  artifact_bytes: field(
    largeInteger,
    'Bytes of the artifacts of jobs that came to the storage.',
    ({ artifactBytes }) => artifactBytes,
  ),
  agents_connected_seconds: field(
    seconds,
    'Seconds for which agents were connected in this time, all together: of a queue, day or hour, of all ' +
      'pipelines; null where none was, or nothing counted them.',
    ({ agentsConnectedSeconds }) => agentsConnectedSeconds,
  ),
  agents_busy_share: field(
    nullable(number),
    'Part of these seconds, from 0 to 1, for which the agents held a job; null the same.',
    ({ agentsBusyShare }) => agentsBusyShare,
  ),
});

export const presentInsight = (_context: Context, insight: Insight): Promise<JsonObject> =>
  insightResource.present(insight);
