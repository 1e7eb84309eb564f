import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { PipelineRow } from '../../entities/database.js';
import { getDelivery } from '../../operations/webhook-deliveries/get.js';
import { listDeliveries } from '../../operations/webhook-deliveries/list.js';
import { previewDelivery } from '../../operations/webhook-deliveries/preview.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { JsonText } from '../scalars/json.js';
import { WebhookDelivery, WebhookDeliveryConnection, WebhookPreview } from './webhook-delivery.js';

/** What a pipeline's webhook URL was sent, and would be answered. */
@Resolver(() => Pipeline)
export class PipelineWebhooksResolver {
  @FieldResolver(() => WebhookDeliveryConnection, { description: 'Deliveries of the source provider, newest first.' })
  async webhookDeliveries(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    return connectionValue(await context.perform(listDeliveries, { pipeline: { id: pipeline.id }, paging: stretchOf(given) }));
  }

  @FieldResolver(() => WebhookDelivery, { ...optional, description: 'One of them, by its uuid.' })
  async webhookDelivery(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext, @Arg('uuid', () => ID) id: string) {
    return (await context.find(getDelivery, { pipeline: { id: pipeline.id }, id }))?.delivery ?? null;
  }

  @FieldResolver(() => WebhookPreview, { description: 'What a delivery would do; nothing is stored and nothing built.' })
  webhookPreview(
    @Root() pipeline: PipelineRow,
    @Ctx() context: GraphqlContext,
    @Arg('event', () => String, { description: 'The provider\'s word for the event, as its header has it.' }) event: string,
    @Arg('payload', () => JsonText) payload: unknown,
    @Arg('provider', () => String, { ...optional, description: 'Whose payload it is; that of the pipeline\'s provider where it is not said.' }) provider: string | null | undefined,
  ) {
    return context.perform(previewDelivery, { pipeline: { id: pipeline.id }, provider: provider ?? undefined, event, payload });
  }
}
