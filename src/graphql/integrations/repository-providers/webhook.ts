import { Field, InterfaceType, ObjectType } from 'type-graphql';
import type { ShownPipelineRow } from '../../../entities/database.js';
import { webUrls } from '../../../services/web-urls.js';
import type { GraphqlContext } from '../../context.js';
import { RepositoryProvider } from './provider-interface.js';
import { providerOf } from './provider-value.js';
import { webhookTokenOf } from '../../../resources/pipelines/url-token.js';

interface WebhookValue {
  typeName: string;
  externalId: string;
  url: string;
  provider: unknown;
}

@InterfaceType({
  description: 'A webhook at a source provider.',
  resolveType: (webhook: WebhookValue) => webhook.typeName,
})
export abstract class RepositoryProviderWebhook {
  @Field(() => String, { description: 'ID of the webhook at the provider.' })
  externalId!: string;

  @Field(() => RepositoryProvider, { description: 'Provider that sends the webhook.' })
  provider!: unknown;

  @Field(() => String, { description: 'URL to which the webhook delivers.' })
  url!: string;
}

@ObjectType({ implements: RepositoryProviderWebhook, description: 'A webhook at GitHub.' })
export class RepositoryProviderGithubWebhook {}

@ObjectType({ implements: RepositoryProviderWebhook, description: 'A webhook at a GitHub Enterprise Server.' })
export class RepositoryProviderGithubEnterpriseWebhook {}

/** Returns the webhook of a pipeline; callers have checked that the user may edit the pipeline. */
export function webhookValue(context: GraphqlContext, pipeline: ShownPipelineRow, externalId: string): WebhookValue {
  const url = webUrls.webhook(context.baseUrl, webhookTokenOf(context.services, pipeline));
  const typeName =
    pipeline.providerId === 'github_enterprise'
      ? 'RepositoryProviderGithubEnterpriseWebhook'
      : 'RepositoryProviderGithubWebhook';
  return {
    typeName,
    externalId,
    url,
    provider: providerOf(pipeline, {
      webhookUrl: async () => url,
      webhook: async () => webhookValue(context, pipeline, externalId),
    }),
  };
}
