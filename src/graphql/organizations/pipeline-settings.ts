import { Arg, Ctx, Field, FieldResolver, ID, InputType, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import type { OrganizationRow } from '../../entities/database.js';
import { getPipelineSettings } from '../../operations/organizations/get-pipeline-settings.js';
import { updatePipelineSettings } from '../../operations/organizations/update-pipeline-settings.js';
import { Cluster } from '../clusters/cluster.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Organization } from './organization.js';

@ObjectType({ description: 'What an organization says of all its pipelines.' })
export class OrganizationPipelineSettings {
  @Field(() => Cluster, { ...optional, description: 'Where pipelines go that name no cluster.' })
  defaultCluster!: unknown;
}

@InputType({ description: 'Changes to what an organization says of all its pipelines.' })
class OrganizationPipelineSettingsUpdateInput extends MutationInput {
  @Field(() => ID, { ...optional, description: 'Null for no such cluster; absent leaves it.' })
  defaultClusterId?: string | null;

  @Field(() => ID)
  organizationId!: string;
}

@ObjectType({ description: 'The organization as it is now.' })
class OrganizationPipelineSettingsUpdatePayload extends MutationPayload {
  @Field(() => Organization)
  organization!: unknown;
}

@Resolver(() => Organization)
export class OrganizationPipelineSettingsResolver {
  @FieldResolver(() => OrganizationPipelineSettings, { ...optional, description: 'For administrators.' })
  async pipelineSettings(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext) {
    const { organization } = await context.perform(getPipelineSettings, { organization: { id } });
    return { defaultCluster: await context.follow('read_clusters', context.load.cluster, organization.defaultClusterId) };
  }

  @Mutation(() => OrganizationPipelineSettingsUpdatePayload, { ...optional, description: 'Changes what an organization says of all its pipelines.' })
  async organizationPipelineSettingsUpdate(@Arg('input', () => OrganizationPipelineSettingsUpdateInput) input: OrganizationPipelineSettingsUpdateInput, @Ctx() context: GraphqlContext) {
    const given = { organization: { id: uuidOf(input.organizationId, ['Organization']) }, defaultClusterId: input.defaultClusterId };
    return payload(input, { organization: (await context.command(updatePipelineSettings, given)).organization });
  }
}
