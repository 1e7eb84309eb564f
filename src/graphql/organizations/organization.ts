import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { standing } from '../../auth/authorize.js';
import type { OrganizationRow } from '../../entities/database.js';
import { getOrganization } from '../../operations/organizations/get.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../nodes/ids.js';
import { Node } from '../nodes/node.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';
import { OrganizationPermissions, organizationPermissions } from './organization-permissions.js';

@ObjectType({ implements: Node, description: 'An account whose members share pipelines, clusters and agents.' })
export class Organization {
  @Field(() => String, { name: 'uuid', description: 'UUID of the organization, its `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Slug of the organization, used in URLs.' })
  slug!: string;

  @Field(() => String, { description: 'Name of the organization.' })
  name!: string;

  @Field(() => Boolean, {
    ...optional,
    name: 'isTeamsEnabled',
    description: 'Whether access to pipelines and suites is granted by teams; otherwise every member has access.',
  })
  teamsEnabled!: boolean;

  @Field(() => DateTime, { ...optional, description: 'Time the organization was created.' })
  createdAt!: Date;
}

export const { Connection: OrganizationConnection } = connectionOf('Organization', () => Organization);

@Resolver(() => Organization)
export class OrganizationResolver {
  @Query(() => Organization, {
    ...optional,
    description: 'An organization by its slug or UUID; null if absent or hidden.',
  })
  async organization(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { ...optional, description: 'Slug of the organization.' }) slug: string | null | undefined,
    @Arg('uuid', () => ID, { ...optional, description: 'UUID of the organization; takes precedence over `slug`.' })
    uuid: string | null | undefined,
    @Info() info: GraphQLResolveInfo,
  ): Promise<OrganizationRow | null> {
    if (uuid) return context.reach(getOrganization, { organization: { id: uuidOf(uuid, ['Organization']) } }, info);
    return slug ? context.reach(getOrganization, { organization: { slug } }, info) : null;
  }

  @FieldResolver(() => String, { ...optional, description: "URL of the organization's icon: always null." })
  iconUrl(): string | null {
    return null;
  }

  @FieldResolver(() => Boolean, {
    ...optional,
    description: 'Whether members must use two-factor authentication: always false.',
  })
  membersRequireTwoFactorAuthentication(): boolean {
    return false;
  }

  @FieldResolver(() => OrganizationPermissions, {
    description: 'Actions that the viewer may take in the organization.',
  })
  permissions(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext): OrganizationPermissions {
    return organizationPermissions(standing(context.actor, organization.id), organization.teamsEnabled);
  }

  @FieldResolver(() => Boolean, { description: 'Whether callers outside the organization may see it: always false.' })
  public(): boolean {
    return false;
  }
}
