import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { levelAllows } from '../../auth/authorize.js';
import type { KeptDelivery } from '../../loaders/loaders.js';
import { pipelineLevels } from '../../operations/pipelines/list-access-levels.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../server/options.js';
import { JsonText } from '../scalars/json.js';
import { BuildSourceWebhook, type SourceValue } from './build-source.js';

/**
 * The webhook delivery of a build; null without permission to create builds, because payloads reveal more than builds.
 */
async function deliveryOf({ buildId, pipelineId }: SourceValue, context: GraphqlContext): Promise<KeptDelivery | null> {
  const level = await context.performInBatch(pipelineLevels, { pipelineIds: pipelineId });
  return level && levelAllows(level, 'build') ? context.load.deliveryOfBuild.load(buildId) : null;
}

@Resolver(() => BuildSourceWebhook)
export class BuildSourceWebhookResolver {
  @FieldResolver(() => [String], {
    ...optional,
    description:
      'Headers of the delivery, as `Name: value`; null once the delivery is deleted, or without permission to ' +
      'create builds.',
  })
  async headers(@Root() source: SourceValue, @Ctx() context: GraphqlContext): Promise<string[] | null> {
    return (await deliveryOf(source, context))?.headers ?? null;
  }

  @FieldResolver(() => JsonText, {
    ...optional,
    description: 'Body of the delivery; null once the delivery is deleted, or without permission to create builds.',
  })
  async payload(@Root() source: SourceValue, @Ctx() context: GraphqlContext): Promise<unknown> {
    return (await deliveryOf(source, context))?.payload ?? null;
  }

  @FieldResolver(() => String, {
    ...optional,
    description: 'ID of the delivery; null once the delivery is deleted, or without permission to create builds.',
  })
  async uuid(@Root() source: SourceValue, @Ctx() context: GraphqlContext): Promise<string | null> {
    return (await deliveryOf(source, context))?.deliveryId ?? null;
  }
}
