import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { standing } from '../../auth/authorize.js';
import type { Row } from '../../entities/database.js';
import { getOrganizationMember } from '../../operations/organizations/members/get.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { OrganizationMemberRole, OrganizationMemberSSOModeEnum } from '../enums.js';
import { slugParts } from '../nodes/ids.js';
import { Node } from '../nodes/node.js';
import { optional } from '../server/options.js';
import { Permission, permission } from '../permission.js';
import { DateTime } from '../scalars/date-time.js';
import { Organization } from './organization.js';
import { User } from './user.js';

type MemberRow = Row<'organization_members'>;

@ObjectType({ description: 'Account security of a member.' })
export class OrganizationMemberSecurity {
  @Field(() => Boolean, { description: 'Whether the account has a password.' })
  passwordProtected!: boolean;

  @Field(() => Boolean, { description: 'Whether two-factor authentication is enabled: always false.' })
  twoFactorEnabled!: boolean;
}

@ObjectType({ description: 'Single sign-on of a member.' })
export class OrganizationMemberSSO {
  @Field(() => OrganizationMemberSSOModeEnum, {
    ...optional,
    description:
      'Whether only sessions that began with single sign-on reach the organization. It has effect where the ' +
      'installation has single sign-on; API tokens are not affected.',
  })
  mode!: string;
}

@ObjectType({ description: 'Actions that the viewer may take on a membership.' })
export class OrganizationMemberPermissions {
  @Field(() => Permission, {
    ...optional,
    description: 'Whether the viewer may remove the member from the organization.',
  })
  organizationMemberDelete!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may update the membership.' })
  organizationMemberUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'Membership of a user in an organization.' })
export class OrganizationMember {
  @Field(() => String, { name: 'uuid', description: 'UUID of the membership.' })
  id!: string;

  @Field(() => OrganizationMemberRole, { description: 'Role of the user in the organization.' })
  role!: string;

  @Field(() => DateTime, { description: 'Time the user joined the organization.' })
  createdAt!: Date;
}

export const { Connection: OrganizationMemberConnection } = connectionOf(
  'OrganizationMember',
  () => OrganizationMember,
);

@Resolver(() => OrganizationMember)
export class OrganizationMemberResolver {
  @Query(() => OrganizationMember, {
    ...optional,
    description: 'A membership by its slug (`organization/membership uuid`); null if absent or hidden.',
  })
  async organizationMember(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { description: 'Slug of the membership: `organization/membership uuid`.' }) slug: string,
  ): Promise<MemberRow | null> {
    const [organization, id] = slugParts(slug, 2) ?? [];
    const result =
      organization && id
        ? await context.find(getOrganizationMember, { organizationMember: { organization, id } })
        : null;
    return result?.organizationMember ?? null;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the membership is free of charge: always false.' })
  complimentary(): boolean {
    return false;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who added the member; null if no user did.' })
  createdBy(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, member.createdById);
  }

  @FieldResolver(() => DateTime, {
    ...optional,
    description: 'Time the member last used an API token or the console, to the minute; null for never.',
  })
  lastSeenAt(@Root() member: MemberRow, @Ctx() context: GraphqlContext): Promise<Date | null> {
    return context.load.lastUseOfUser.load(member.userId);
  }

  @FieldResolver(() => Organization, { description: 'Organization of the membership.' })
  organization(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(member.organizationId);
  }

  @FieldResolver(() => OrganizationMemberPermissions, {
    description: 'Actions that the viewer may take on the membership.',
  })
  permissions(@Root() member: MemberRow, @Ctx() context: GraphqlContext): OrganizationMemberPermissions {
    const admin = permission(standing(context.actor, member.organizationId) === 'admin');
    return { organizationMemberDelete: admin, organizationMemberUpdate: admin };
  }

  @FieldResolver(() => OrganizationMemberSecurity, { description: 'Account security of the member.' })
  async security(@Root() member: MemberRow, @Ctx() context: GraphqlContext): Promise<OrganizationMemberSecurity> {
    const user = await context.load.user.load(member.userId);
    return { passwordProtected: (user?.passwordHash ?? null) !== null, twoFactorEnabled: false };
  }

  @FieldResolver(() => OrganizationMemberSSO, { description: 'Single sign-on of the member.' })
  sso(@Root() member: MemberRow): OrganizationMemberSSO {
    return { mode: member.ssoMode };
  }

  @FieldResolver(() => User, { description: 'User of the membership.' })
  user(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.load.user.load(member.userId);
  }
}
