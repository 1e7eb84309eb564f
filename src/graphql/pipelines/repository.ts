import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { ShownPipelineRow } from '../../entities/database.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../server/options.js';
import { providerOf, type ProviderValue } from '../integrations/repository-providers/provider-value.js';
import { RepositoryProvider } from '../integrations/repository-providers/provider-interface.js';
import { webhookValue } from '../integrations/repository-providers/webhook.js';
import { deliveryUrl } from './pipeline-relations.js';
import { Pipeline } from './pipeline.js';

@ObjectType({ description: 'Source repository of a pipeline.' })
export class Repository {
  @Field(() => String, { name: 'url', description: 'URL of the repository.' })
  repository!: string;
}

@Resolver(() => Repository)
export class RepositoryResolver {
  @FieldResolver(() => RepositoryProvider, { ...optional, description: 'Provider that hosts the repository.' })
  provider(@Root() pipeline: ShownPipelineRow, @Ctx() context: GraphqlContext): ProviderValue {
    return providerOf(pipeline, {
      webhookUrl: () => deliveryUrl(context, pipeline),
      webhook: async () => {
        const webhook =
          (await deliveryUrl(context, pipeline)) === null
            ? null
            : await context.load.webhookOfPipeline.load(pipeline.id);
        return webhook && webhookValue(context, pipeline, webhook);
      },
    });
  }
}

@Resolver(() => Pipeline)
export class RepositoryOfPipelineResolver {
  @FieldResolver(() => Repository, { ...optional, description: 'Source repository of the pipeline.' })
  repository(@Root() pipeline: ShownPipelineRow): ShownPipelineRow {
    return pipeline;
  }
}
