import type { GraphQLResolveInfo } from 'graphql';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { loadOrNull } from '../../loaders/batch-loader.js';
import type { OrganizationRow } from '../../entities/database.js';
import { getPipelineSettings } from '../../operations/organizations/get-pipeline-settings.js';
import { setPublicPipelines } from '../../operations/organizations/set-public-pipelines.js';
import { updatePipelineSettings } from '../../operations/organizations/update-pipeline-settings.js';
import { shownBuildExport } from '../../resources/organizations/build-export.js';
import { Cluster } from '../agents/clusters/cluster.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../nodes/ids.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { DateTime } from '../scalars/date-time.js';
import { OrganizationRetention, OrganizationRetentionInput } from '../retention/retention.js';
import { optional } from '../server/options.js';
import { Organization } from './organization.js';
import { User } from './user.js';
import { ReadBy } from '../execution/on-the-way.js';

@ObjectType({ description: 'Whether pipelines of an organization may be made public. Those that are public stay so.' })
export class OrganizationPublicPipelineCreation {
  @Field(() => Boolean, { description: 'Whether pipelines may be made public.' })
  enabled!: boolean;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time this was allowed; null if it was from the beginning, or is not.',
  })
  enabledAt!: Date | null;

  @Field(() => User, {
    ...optional,
    description: 'User who allowed it; null if it was allowed from the beginning, or is not.',
  })
  enabledBy!: unknown;
}

@ObjectType({ description: 'Export of builds of an organization before retention deletes them.' })
export class OrganizationBuildExports {
  @Field(() => Boolean, { description: 'Whether the operator of this installation has a place for exports.' })
  available!: boolean;

  @Field(() => Boolean, { description: 'Whether builds are exported before retention deletes them.' })
  enabled!: boolean;

  @Field(() => String, { ...optional, description: 'Name of the bucket or folder; null without one.' })
  location!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Kind of storage, `s3` or `file`; null without a location.',
  })
  strategyId!: string | null;

  @Field(() => [String], { description: 'Strategies that can be set.' })
  supportedStrategies!: readonly string[];
}

@ObjectType({ description: 'Settings that apply to all pipelines of an organization.' })
export class OrganizationPipelineSettings {
  @Field(() => String, {
    ...optional,
    description: 'Default branch of new pipelines that name none; null for `main`.',
  })
  defaultBranch!: string | null;

  @Field(() => Int, {
    ...optional,
    description: 'Timeout of command steps without one, in minutes; that of the pipeline goes first.',
  })
  defaultTimeoutInMinutes!: number | null;

  @Field(() => Int, { ...optional, description: 'Longest timeout that a command step can have, in minutes.' })
  maximumTimeoutInMinutes!: number | null;

  @Field(() => Int, { description: 'Minutes after which a job that no agent took expires.' })
  scheduledJobExpiryInMinutes!: number;

  @Field(() => OrganizationRetention, {
    ...optional,
    description: 'Retention policy of builds, runs and audit events; null for that of the environment.',
  })
  retention!: OrganizationRetention | null;

  @Field(() => OrganizationPublicPipelineCreation, { description: 'Whether pipelines may be made public.' })
  publicPipelineCreation!: unknown;

  @Field(() => OrganizationBuildExports, {
    description: 'Export of builds before retention deletes them.',
  })
  buildExports!: OrganizationBuildExports;
}

@InputType({ description: 'Input of `organizationPublicPipelinesUpdate`.' })
class OrganizationPublicPipelinesUpdateInput extends MutationInput {
  @Field(() => Boolean, { description: 'Whether pipelines may be made public.' })
  enabled!: boolean;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@InputType({ description: 'Pipeline settings of an organization; absent fields stay unchanged.' })
class OrganizationPipelineSettingsUpdateInput extends MutationInput {
  @Field(() => ID, {
    ...optional,
    description: 'GraphQL ID or UUID of the default cluster for new pipelines; null for none.',
  })
  defaultClusterId?: string | null;

  @Field(() => String, { ...optional, description: 'Default branch of new pipelines that name none; null for `main`.' })
  defaultBranch?: string | null;

  @Field(() => Int, { ...optional, description: 'Timeout of command steps without one, in minutes; null for none.' })
  defaultTimeoutInMinutes?: number | null;

  @Field(() => Int, {
    ...optional,
    description: 'Longest timeout that a command step can have, in minutes; null for none.',
  })
  maximumTimeoutInMinutes?: number | null;

  @Field(() => Int, {
    ...optional,
    description: 'Minutes after which a job that no agent took expires; null for thirty days.',
  })
  scheduledJobExpiryInMinutes?: number | null;

  @Field(() => OrganizationRetentionInput, {
    ...optional,
    description: 'Retention policy of builds, runs and audit events, which replaces the whole one; null for none.',
  })
  retention?: OrganizationRetentionInput | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@ObjectType({ description: 'The organization after the mutation.' })
class OrganizationPipelineSettingsUpdatePayload extends MutationPayload {
  @Field(() => Organization, { description: 'The organization after the mutation.' })
  organization!: unknown;
}

@ObjectType({ description: 'Result of `organizationPublicPipelinesUpdate`.' })
class OrganizationPublicPipelinesUpdatePayload extends MutationPayload {
  @Field(() => Organization, { description: 'The organization after the mutation.' })
  organization!: unknown;
}

@Resolver(() => OrganizationPipelineSettings)
export class DefaultClusterResolver {
  @FieldResolver(() => Cluster, { ...optional, description: 'Default cluster for new pipelines; null without one.' })
  defaultCluster(
    @Root() { defaultClusterId }: Pick<OrganizationRow, 'defaultClusterId'>,
    @Ctx() context: GraphqlContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    return context.loadReference('read_clusters', context.load.cluster, defaultClusterId, info);
  }
}

@Resolver(() => Organization)
export class OrganizationPipelineSettingsResolver {
  @ReadBy(getPipelineSettings)
  @FieldResolver(() => OrganizationPipelineSettings, {
    ...optional,
    description: 'Settings that apply to all pipelines, for administrators.',
  })
  async pipelineSettings(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext) {
    const { organization } = await context.performInBatch(getPipelineSettings, { organization: { id } });
    const { defaultBranch, defaultTimeoutInMinutes, maximumTimeoutInMinutes, scheduledJobExpiryInMinutes } =
      organization;
    return {
      defaultClusterId: organization.defaultClusterId,
      defaultBranch,
      defaultTimeoutInMinutes,
      maximumTimeoutInMinutes,
      scheduledJobExpiryInMinutes,
      retention: organization.retention,
      buildExports: shownBuildExport(context.services, organization),
      publicPipelineCreation: {
        enabled: organization.allowsPublicPipelines,
        enabledAt: organization.publicPipelinesEnabledAt,
        enabledBy: await loadOrNull(context.load.user, organization.publicPipelinesEnabledById),
      },
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
      defaultBranch: input.defaultBranch,
      organizationDefaultTimeoutInMinutes: input.defaultTimeoutInMinutes,
      organizationMaximumTimeoutInMinutes: input.maximumTimeoutInMinutes,
      scheduledJobExpiryInMinutes: input.scheduledJobExpiryInMinutes,
      retention: input.retention,
    };
    return payload(input, {
      organization: (await context.command(updatePipelineSettings, operationInput)).organization,
    });
  }

  @Mutation(() => OrganizationPublicPipelinesUpdatePayload, {
    ...optional,
    description: 'Allows or forbids that pipelines of an organization are made public.',
  })
  async organizationPublicPipelinesUpdate(
    @Arg('input', () => OrganizationPublicPipelinesUpdateInput, {
      description: 'Organization with its decision about public pipelines.',
    })
    input: OrganizationPublicPipelinesUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization } = await context.command(setPublicPipelines, {
      organization: { id: uuidOf(input.organizationId, ['Organization']) },
      enabled: input.enabled,
    });
    return payload(input, { organization });
  }
}
