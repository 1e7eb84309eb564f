import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { standing } from '../../auth/authorize.js';
import type { OrganizationRow } from '../../entities/database.js';
import { getOrganization } from '../../operations/organizations/get.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { OrganizationPermissions, organizationPermissions } from './organization-permissions.js';

@ObjectType({ implements: Node, description: 'People who share pipelines, clusters and agents.' })
export class Organization {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  slug!: string;

  @Field(() => String)
  name!: string;

  @Field(() => Boolean, { ...optional, name: 'isTeamsEnabled', description: 'Whether teams decide who may see a pipeline.' })
  teamsEnabled!: boolean;

  @Field(() => DateTime, optional)
  createdAt!: Date;
}

export const { Connection: OrganizationConnection } = connectionOf('Organization', () => Organization);

@Resolver(() => Organization)
export class OrganizationResolver {
  @Query(() => Organization, { ...optional, description: 'An organization of the viewer, by its slug or uuid.' })
  async organization(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, optional) slug: string | null | undefined,
    @Arg('uuid', () => ID, optional) uuid: string | null | undefined,
  ): Promise<OrganizationRow | null> {
    const address = uuid ? { id: uuidOf(uuid, ['Organization']) } : slug ? { slug } : null;
    return address && context.find(getOrganization, { organization: address });
  }

  @FieldResolver(() => String, { ...optional, description: 'Addresses that tokens may be used from, separated by spaces; null for all.' })
  allowedApiIpAddresses(): string | null {
    return null;
  }

  @FieldResolver(() => String, optional)
  iconUrl(): string | null {
    return null;
  }

  @FieldResolver(() => Boolean, optional)
  membersRequireTwoFactorAuthentication(): boolean {
    return false;
  }

  @FieldResolver(() => OrganizationPermissions)
  permissions(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext): OrganizationPermissions {
    return organizationPermissions(standing(context.actor, organization.id), organization.teamsEnabled);
  }

  @FieldResolver(() => Boolean, { description: 'Whether strangers may see that it exists.' })
  public(): boolean {
    return false;
  }
}
