import { Field, ObjectType } from 'type-graphql';
import { optional } from '../options.js';
import { Permission, permission } from '../permission.js';

@ObjectType({ description: 'What the viewer may do in an organization.' })
export class OrganizationPermissions {
  @Field(() => Permission, optional)
  agentTokenCreate!: Permission;

  @Field(() => Permission, optional)
  agentTokenView!: Permission;

  @Field(() => Permission, optional)
  agentView!: Permission;

  @Field(() => Permission, optional)
  auditEventsView!: Permission;

  @Field(() => Permission, optional)
  notificationServiceUpdate!: Permission;

  @Field(() => Permission, optional)
  organizationBillingUpdate!: Permission;

  @Field(() => Permission, optional)
  organizationInvitationCreate!: Permission;

  @Field(() => Permission, optional)
  organizationMemberUpdate!: Permission;

  @Field(() => Permission, optional)
  organizationMemberView!: Permission;

  @Field(() => Permission, optional)
  organizationMemberViewSensitive!: Permission;

  @Field(() => Permission, optional)
  organizationUpdate!: Permission;

  @Field(() => Permission, optional)
  pipelineCreate!: Permission;

  @Field(() => Permission, optional)
  pipelineCreateWithoutTeams!: Permission;

  @Field(() => Permission, optional)
  pipelineView!: Permission;

  @Field(() => Permission, optional)
  ssoProviderCreate!: Permission;

  @Field(() => Permission, optional)
  ssoProviderUpdate!: Permission;

  @Field(() => Permission, optional)
  suiteView!: Permission;

  @Field(() => Permission, optional)
  teamAdmin!: Permission;

  @Field(() => Permission, optional)
  teamCreate!: Permission;

  @Field(() => Permission, optional)
  teamEnabledChange!: Permission;

  @Field(() => Permission, optional)
  teamView!: Permission;
}

/** The permissions of a person by their standing: members read and make pipelines, administrators do everything. */
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
