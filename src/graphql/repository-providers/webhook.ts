import { Field, InterfaceType, ObjectType } from 'type-graphql';
import type { PipelineRow } from '../../entities/database.js';
import { webUrls } from '../../web-urls.js';
import type { GraphqlContext } from '../context.js';
import { RepositoryProvider } from './provider-interface.js';
import { providerOf } from './provider-value.js';

interface WebhookValue {
  typeName: string;
  externalId: string;
  url: string;
  provider: unknown;
}

@InterfaceType({ description: 'A webhook at a source provider.', resolveType: (webhook: WebhookValue) => webhook.typeName })
export abstract class RepositoryProviderWebhook {
  @Field(() => String, { description: 'The provider\'s id of it.' })
  externalId!: string;

  @Field(() => RepositoryProvider)
  provider!: unknown;

  @Field(() => String, { description: 'Where it delivers to.' })
  url!: string;
}

@ObjectType({ implements: RepositoryProviderWebhook, description: 'A webhook at GitHub.' })
export class RepositoryProviderGithubWebhook {}

@ObjectType({ implements: RepositoryProviderWebhook, description: 'A webhook at a GitHub of one\'s own.' })
export class RepositoryProviderGithubEnterpriseWebhook {}

/** The webhook of a pipeline; only those who may edit the pipeline get here. */
export function webhookValue(context: GraphqlContext, pipeline: PipelineRow, externalId: string): WebhookValue {
  const url = webUrls.webhook(context.baseUrl, pipeline.webhookToken);
  const typeName = pipeline.providerId === 'github_enterprise' ? 'RepositoryProviderGithubEnterpriseWebhook' : 'RepositoryProviderGithubWebhook';
  return { typeName, externalId, url, provider: providerOf(pipeline, { webhookUrl: async () => url, webhook: async () => webhookValue(context, pipeline, externalId) }) };
}
