import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { deleteBuildExport } from '../../operations/organizations/delete-build-export.js';
import { setBuildExport } from '../../operations/organizations/set-build-export.js';
import type { GraphqlContext } from '../context.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { uuidOf } from '../nodes/ids.js';
import { optional } from '../server/options.js';
import { Organization } from './organization.js';

@InputType({ description: 'Input of `organizationBuildExportUpdate`.' })
class OrganizationBuildExportUpdateInput extends MutationInput {
  @Field(() => String, { description: 'Name of the bucket or folder that the operator has for exports.' })
  location!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;

  @Field(() => String, { description: 'One of `supportedStrategies`.' })
  strategyId!: string;
}

@InputType({ description: 'Input of `organizationBuildExportDelete`.' })
class OrganizationBuildExportDeleteInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

@ObjectType({ description: 'Result of `organizationBuildExportUpdate`.' })
class OrganizationBuildExportUpdatePayload extends MutationPayload {
  @Field(() => Organization, { description: 'The organization after the mutation.' })
  organization!: unknown;
}

@ObjectType({ description: 'Result of `organizationBuildExportDelete`.' })
class OrganizationBuildExportDeletePayload extends MutationPayload {
  @Field(() => Organization, { description: 'The organization after the mutation.' })
  organization!: unknown;
}

@Resolver()
export class BuildExportMutations {
  @Mutation(() => OrganizationBuildExportUpdatePayload, {
    ...optional,
    description: 'Has builds of an organization exported before retention deletes them.',
  })
  async organizationBuildExportUpdate(
    @Arg('input', () => OrganizationBuildExportUpdateInput, { description: 'Organization with the place of exports.' })
    input: OrganizationBuildExportUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization } = await context.command(setBuildExport, {
      organization: { id: uuidOf(input.organizationId, ['Organization']) },
      location: input.location,
      strategyId: input.strategyId,
    });
    return payload(input, { organization });
  }

  @Mutation(() => OrganizationBuildExportDeletePayload, {
    ...optional,
    description: 'Has builds of an organization deleted by retention without an export.',
  })
  async organizationBuildExportDelete(
    @Arg('input', () => OrganizationBuildExportDeleteInput, { description: 'Organization whose exports end.' })
    input: OrganizationBuildExportDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { organization } = await context.command(deleteBuildExport, {
      organization: { id: uuidOf(input.organizationId, ['Organization']) },
    });
    return payload(input, { organization });
  }
}
