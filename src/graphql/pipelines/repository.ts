import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { PipelineRow } from '../../entities/database.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { providerOf, type ProviderValue } from '../repository-providers/provider-value.js';
import { RepositoryProvider } from '../repository-providers/provider-interface.js';
import { webhookValue } from '../repository-providers/webhook.js';
import { deliveryUrl } from './pipeline-relations.js';

@ObjectType({ description: 'Where the source of a pipeline is.' })
export class Repository {
  @Field(() => String, { name: 'url' })
  repository!: string;
}

@Resolver(() => Repository)
export class RepositoryResolver {
  @FieldResolver(() => RepositoryProvider, optional)
  provider(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext): ProviderValue {
    return providerOf(pipeline, {
      webhookUrl: () => deliveryUrl(context, pipeline),
      webhook: async () => {
        const made = (await deliveryUrl(context, pipeline)) === null ? null : await context.load.webhookOfPipeline.load(pipeline.id);
        return made && webhookValue(context, pipeline, made);
      },
    });
  }
}
