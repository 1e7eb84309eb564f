import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { standing } from '../../auth/authorize.js';
import type { Row } from '../../entities/database.js';
import { getOrganizationMember } from '../../operations/organizations/get-member.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { OrganizationMemberRole, OrganizationMemberSSOModeEnum } from '../enums.js';
import { slugParts } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { Permission, permission } from '../permission.js';
import { DateTime } from '../scalars/date-time.js';
import { Organization } from './organization.js';
import { User } from './user.js';

type MemberRow = Row<'organization_members'>;

@ObjectType({ description: 'How a member protects their account.' })
export class OrganizationMemberSecurity {
  @Field(() => Boolean)
  passwordProtected!: boolean;

  @Field(() => Boolean)
  twoFactorEnabled!: boolean;
}

@ObjectType({ description: 'How a member has to sign in.' })
export class OrganizationMemberSSO {
  @Field(() => OrganizationMemberSSOModeEnum, optional)
  mode!: string;
}

@ObjectType({ description: 'What the viewer may do with a membership.' })
export class OrganizationMemberPermissions {
  @Field(() => Permission, optional)
  organizationMemberDelete!: Permission;

  @Field(() => Permission, optional)
  organizationMemberUpdate!: Permission;
}

@ObjectType({ implements: Node, description: 'The membership of a person in an organization.' })
export class OrganizationMember {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => OrganizationMemberRole)
  role!: string;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: OrganizationMemberConnection } = connectionOf('OrganizationMember', () => OrganizationMember);

@Resolver(() => OrganizationMember)
export class OrganizationMemberResolver {
  @Query(() => OrganizationMember, { ...optional, description: 'A membership by its slug (`organization/uuid of the membership`).' })
  async organizationMember(@Ctx() context: GraphqlContext, @Arg('slug', () => ID) slug: string): Promise<MemberRow | null> {
    const [organization, id] = slugParts(slug, 2) ?? [];
    const found = organization && id ? await context.find(getOrganizationMember, { organizationMember: { organization, id } }) : null;
    return found?.organizationMember ?? null;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the membership is free of charge.' })
  complimentary(): boolean {
    return false;
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, member.createdById);
  }

  @FieldResolver(() => DateTime, { ...optional, description: 'When the person was last seen; null where that is not known.' })
  lastSeenAt(): Date | null {
    return null;
  }

  @FieldResolver(() => Organization)
  organization(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(member.organizationId);
  }

  @FieldResolver(() => OrganizationMemberPermissions)
  permissions(@Root() member: MemberRow, @Ctx() context: GraphqlContext): OrganizationMemberPermissions {
    const admin = permission(standing(context.actor, member.organizationId) === 'admin');
    return { organizationMemberDelete: admin, organizationMemberUpdate: admin };
  }

  @FieldResolver(() => OrganizationMemberSecurity)
  async security(@Root() member: MemberRow, @Ctx() context: GraphqlContext): Promise<OrganizationMemberSecurity> {
    const user = await context.load.user.load(member.userId);
    return { passwordProtected: (user?.passwordHash ?? null) !== null, twoFactorEnabled: false };
  }

  @FieldResolver(() => OrganizationMemberSSO)
  sso(@Root() member: MemberRow): OrganizationMemberSSO {
    return { mode: member.ssoMode };
  }

  @FieldResolver(() => User)
  user(@Root() member: MemberRow, @Ctx() context: GraphqlContext) {
    return context.load.user.load(member.userId);
  }
}
