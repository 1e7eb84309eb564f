import { Arg, Args, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { ShownPipelineRow } from '../../../entities/database.js';
import { getDelivery } from '../../../operations/integrations/webhook-deliveries/get.js';
import { listDeliveries } from '../../../operations/integrations/webhook-deliveries/list.js';
import { previewDelivery } from '../../../operations/integrations/webhook-deliveries/preview.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Dear, dear } from '../../limits/dear.js';
import { optional } from '../../server/options.js';
import { Pipeline } from '../../pipelines/pipeline.js';
import { JsonText } from '../../scalars/json.js';
import { WebhookDelivery, WebhookDeliveryConnection, WebhookPreview } from './webhook-delivery.js';

/** Webhook deliveries of a pipeline, and previews of them. */
@Resolver(() => Pipeline)
export class PipelineWebhooksResolver {
  @FieldResolver(() => WebhookDeliveryConnection, {
    description: 'Webhook deliveries of the source provider, newest first.',
  })
  async webhookDeliveries(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listDeliveries, { pipeline: { id: pipeline.id } }, { paging: stretchOf(args) }),
    );
  }

  @FieldResolver(() => WebhookDelivery, { ...optional, description: 'A webhook delivery by its UUID; null if absent.' })
  async webhookDelivery(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID of the delivery.' }) id: string,
  ) {
    return (await context.findInBatch(getDelivery, { pipeline: { id: pipeline.id } }, { id }))?.delivery ?? null;
  }

  @Dear(dear.ownStatements)
  @FieldResolver(() => WebhookPreview, {
    description: 'Decisions that a delivery would lead to; stores nothing and creates no build.',
  })
  webhookPreview(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Arg('event', () => String, { description: "Name of the event as in the provider's event header, such as `push`." })
    event: string,
    @Arg('payload', () => JsonText, { description: 'Body of the delivery as JSON.' }) payload: unknown,
    @Arg('provider', () => String, {
      ...optional,
      description: "Provider whose format the payload has; the pipeline's provider if absent.",
    })
    provider: string | null | undefined,
  ) {
    return context.perform(previewDelivery, {
      pipeline: { id: pipeline.id },
      provider: provider ?? undefined,
      event,
      payload,
    });
  }
}
