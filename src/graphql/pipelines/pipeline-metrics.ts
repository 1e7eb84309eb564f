import { Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { v5 as namedUuid } from 'uuid';
import type { ShownPipelineRow } from '../../entities/database.js';
import { type PipelineMetrics, readPipelineMetrics } from '../../operations/pipelines/metrics.js';
import { webUrls } from '../../services/web-urls.js';
import { SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionOfList } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { Node } from '../nodes/node.js';
import { optional } from '../server/options.js';
import { Pipeline } from './pipeline.js';
import { ReadBy } from '../execution/on-the-way.js';

@ObjectType({
  implements: Node,
  description: 'A figure about the builds of the default branch in the last seven days.',
})
export class PipelineMetric {
  @Field(() => ID, { description: 'Name of the figure: `Speed`, `Reliability` or `Builds per week`.' })
  label!: string;

  @Field(() => String, { ...optional, description: 'Page with the builds that the figure is about.' })
  url!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'The figure for people, such as `4m 10s`, `98%` or `120`; null if no build tells it.',
  })
  value!: string | null;
}

const { Connection: PipelineMetricConnection } = connectionOf('PipelineMetric', () => PipelineMetric);

const figures: readonly { label: string; value(metrics: PipelineMetrics): string | null }[] = [
  { label: 'Speed', value: ({ seconds }) => (seconds === null ? null : durationText(seconds)) },
  {
    label: 'Reliability',
    value: ({ reliability }) => (reliability === null ? null : `${Math.round(reliability * 100)}%`),
  },
  { label: 'Builds per week', value: ({ builds }) => String(builds) },
];

@Resolver(() => Pipeline)
export class MetricsOfPipelineResolver {
  @ReadBy(readPipelineMetrics)
  @FieldResolver(() => PipelineMetricConnection, {
    ...optional,
    description: 'Figures about the builds of the default branch in the last seven days.',
  })
  async metrics(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Args(() => SizeArguments) args: SizeArguments,
  ) {
    const metrics = await context.performInBatch(readPipelineMetrics, { pipelineIds: pipeline.id });
    if (!metrics) return null;
    const organization = await context.load.organization.load(pipeline.organizationId);
    const url = organization ? webUrls.pipeline(context.baseUrl, organization.slug, pipeline.slug) : null;
    const rows = figures.map(({ label, value }) => ({
      id: namedUuid(label, pipeline.id),
      label,
      url,
      value: value(metrics),
    }));
    return connectionOfList(rows, stretchOf(args));
  }
}

/** Such as `45s`, `4m 10s` or `1h 2m`. */
function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m ${whole % 60}s` : `${whole}s`;
}
