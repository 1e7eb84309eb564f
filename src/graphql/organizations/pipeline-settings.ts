import { Arg, Ctx, Field, FieldResolver, ID, InputType, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrganizationRow } from '../../entities/database.js';
import { getPipelineSettings } from '../../operations/organizations/get-pipeline-settings.js';
import { updatePipelineSettings } from '../../operations/organizations/update-pipeline-settings.js';
import { Cluster } from '../agents/clusters/cluster.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../nodes/ids.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../server/options.js';
import { Organization } from './organization.js';

@ObjectType({ description: 'Settings that apply to all pipelines of an organization.' })
export class OrganizationPipelineSettings {
  @Field(() => Cluster, { ...optional, description: 'Default cluster for new pipelines; null without one.' })
  defaultCluster!: unknown;
}

@InputType({ description: 'Pipeline settings of an organization; absent fields stay unchanged.' })
class OrganizationPipelineSettingsUpdateInput extends MutationInput {
  @Field(() => ID, {
    ...optional,
    description: 'GraphQL ID or UUID of the default cluster for new pipelines; null for none.',
  })
  defaultClusterId?: string | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@ObjectType({ description: 'The organization after the mutation.' })
class OrganizationPipelineSettingsUpdatePayload extends MutationPayload {
  @Field(() => Organization, { description: 'The organization after the mutation.' })
  organization!: unknown;
}

@Resolver(() => Organization)
export class OrganizationPipelineSettingsResolver {
  @FieldResolver(() => OrganizationPipelineSettings, {
    ...optional,
    description: 'Settings that apply to all pipelines, for administrators.',
  })
  async pipelineSettings(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext) {
    const { organization } = await context.performJoined(getPipelineSettings, { organization: { id } });
    return {
      defaultCluster: await context.loadReference('read_clusters', context.load.cluster, organization.defaultClusterId),
    };
  }

  @Mutation(() => OrganizationPipelineSettingsUpdatePayload, {
    ...optional,
    description: 'Updates the settings that apply to all pipelines of an organization.',
  })
  async organizationPipelineSettingsUpdate(
    @Arg('input', () => OrganizationPipelineSettingsUpdateInput, {
      description: 'Organization with its new pipeline settings.',
    })
    input: OrganizationPipelineSettingsUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const operationInput = {
      organization: { id: uuidOf(input.organizationId, ['Organization']) },
      defaultClusterId: input.defaultClusterId,
    };
    return payload(input, {
      organization: (await context.command(updatePipelineSettings, operationInput)).organization,
    });
  }
}
