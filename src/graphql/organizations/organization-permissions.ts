import { Field, ObjectType } from 'type-graphql';
import { optional } from '../server/options.js';
import { Permission, permission } from '../permission.js';

@ObjectType({ description: 'Actions that the viewer may take in an organization.' })
export class OrganizationPermissions {
  @Field(() => Permission, { ...optional, description: 'Whether the viewer may create agent tokens.' })
  agentTokenCreate!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may see agent tokens.' })
  agentTokenView!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may see agents.' })
  agentView!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may see audit events.' })
  auditEventsView!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may change notification services.' })
  notificationServiceUpdate!: Permission;

  @Field(() => Permission, {
    ...optional,
    description: 'Whether the viewer may change billing details; there are none here.',
  })
  organizationBillingUpdate!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may invite users.' })
  organizationInvitationCreate!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may update memberships.' })
  organizationMemberUpdate!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may see members.' })
  organizationMemberView!: Permission;

  @Field(() => Permission, {
    ...optional,
    description: 'Whether the viewer may see sensitive details of members, such as their account security.',
  })
  organizationMemberViewSensitive!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may update the organization.' })
  organizationUpdate!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may create pipelines.' })
  pipelineCreate!: Permission;

  @Field(() => Permission, {
    ...optional,
    description: 'Whether the viewer may create pipelines that belong to no team.',
  })
  pipelineCreateWithoutTeams!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may see pipelines.' })
  pipelineView!: Permission;

  @Field(() => Permission, {
    ...optional,
    description: 'Whether the viewer may create single sign-on providers; there are none here.',
  })
  ssoProviderCreate!: Permission;

  @Field(() => Permission, {
    ...optional,
    description: 'Whether the viewer may update single sign-on providers; there are none here.',
  })
  ssoProviderUpdate!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may see test suites.' })
  suiteView!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may administer all teams.' })
  teamAdmin!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may create teams.' })
  teamCreate!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may enable teams.' })
  teamEnabledChange!: Permission;

  @Field(() => Permission, { ...optional, description: 'Whether the viewer may see teams.' })
  teamView!: Permission;
}

/**
 * Returns the permissions of a user by role: members may read and create pipelines, administrators may do everything.
 */
export function organizationPermissions(role: string | null, teamsEnabled: boolean): OrganizationPermissions {
  const admin = permission(role === 'admin' || role === 'system');
  const member = permission(role === 'admin' || role === 'system' || role === 'member');
  return {
    agentTokenCreate: admin,
    agentTokenView: admin,
    agentView: member,
    auditEventsView: admin,
    notificationServiceUpdate: admin,
    organizationBillingUpdate: admin,
    organizationInvitationCreate: admin,
    organizationMemberUpdate: admin,
    organizationMemberView: member,
    organizationMemberViewSensitive: admin,
    organizationUpdate: admin,
    pipelineCreate: member,
    pipelineCreateWithoutTeams: teamsEnabled ? admin : member,
    pipelineView: member,
    ssoProviderCreate: admin,
    ssoProviderUpdate: admin,
    suiteView: member,
    teamAdmin: admin,
    teamCreate: admin,
    teamEnabledChange: admin,
    teamView: member,
  };
}
