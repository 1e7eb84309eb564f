import { ArgsType, Field, ID } from 'type-graphql';
import { PageArguments } from '../connections/arguments.js';
import { ClusterOrder, OrganizationMemberOrder, OrganizationMemberRole, PipelineOrders } from '../enums.js';
import { BuildArguments } from '../builds/build-arguments.js';
import { JobArguments } from '../builds/jobs/job-arguments.js';
import { optional } from '../server/options.js';
import { PipelineRepositoryInput } from '../pipelines/pipeline-inputs.js';
import { DateTime } from '../scalars/date-time.js';
import { TeamSelector } from '../scalars/text.js';
import { OrganizationMemberSecurityInput, OrganizationMemberSSOInput } from './organization-member-inputs.js';

const clustered = { ...optional, defaultValue: true, description: 'False returns only those outside clusters.' };

@ArgsType()
export class OrganizationPipelinesArguments extends PageArguments {
  @Field(() => Boolean, { ...optional, description: 'True for archived pipelines only, false for active ones only.' })
  archived?: boolean | null;

  @Field(() => ID, { ...optional, description: 'Only pipelines of the cluster with this GraphQL ID or UUID.' })
  cluster?: string | null;

  @Field(() => Boolean, { ...clustered, description: 'False for only pipelines without a cluster.' })
  clustered?: boolean | null;

  @Field(() => DateTime, { ...optional, description: 'Only pipelines created at or after this time.' })
  createdAtFrom?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only pipelines created before this time.' })
  createdAtTo?: Date | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'True for only favorites of the viewer, false for only other pipelines.',
  })
  favorite?: boolean | null;

  @Field(() => PipelineOrders, {
    ...optional,
    defaultValue: PipelineOrders.RECENTLY_CREATED,
    description: 'Order of the pipelines.',
  })
  order?: string | null;

  @Field(() => PipelineRepositoryInput, { ...optional, description: 'Only pipelines of this repository.' })
  repository?: PipelineRepositoryInput | null;

  @Field(() => String, { ...optional, description: 'Part of the name or slug.' })
  search?: string | null;

  @Field(() => [String], { ...optional, description: 'Only pipelines with all of these tags.' })
  tags?: string[] | null;

  @Field(() => TeamSelector, {
    ...optional,
    description: 'Only pipelines of the team with this slug; with a leading `!`, of every other team.',
  })
  team?: string | null;
}

@ArgsType()
export class OrganizationBuildsArguments extends BuildArguments {
  @Field(() => String, {
    ...optional,
    description: 'Beginning of a commit, 7 to 40 hexadecimal digits; only builds of such commits.',
  })
  commitPrefix?: string | null;

  @Field(() => String, {
    ...optional,
    description:
      'Text, in whatever case; only builds whose message has it, among the newest 1,000 builds of the organization.',
  })
  message?: string | null;
}

@ArgsType()
export class OrganizationJobsArguments extends JobArguments {
  @Field(() => ID, { ...optional, description: 'Only jobs of the cluster with this GraphQL ID or UUID.' })
  cluster?: string | null;

  @Field(() => [ID], { ...optional, description: 'Only jobs of the queues with these GraphQL IDs or UUIDs.' })
  clusterQueue?: string[] | null;

  @Field(() => Boolean, { ...clustered, description: 'False for only jobs without a cluster.' })
  clustered?: boolean | null;

  @Field(() => DateTime, { ...optional, description: 'Only jobs created at or after this time.' })
  createdAtFrom?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only jobs created before this time.' })
  createdAtTo?: Date | null;

  @Field(() => DateTime, {
    ...optional,
    description:
      'Only jobs that finished on the UTC day of this time, whatever its hour. For a range of time: ' +
      '`finishedAtFrom`, `finishedAtTo`.',
  })
  finishedAt?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only jobs that finished at or after this time.' })
  finishedAtFrom?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only jobs that finished before this time.' })
  finishedAtTo?: Date | null;
}

@ArgsType()
export class OrganizationMembersArguments extends PageArguments {
  @Field(() => String, { ...optional, description: 'Complete e-mail address of the member.' })
  email?: string | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Only members who used neither an API token nor the console since this time.',
  })
  inactiveSince?: Date | null;

  @Field(() => OrganizationMemberOrder, {
    ...optional,
    defaultValue: OrganizationMemberOrder.RECENTLY_CREATED,
    description: 'Order of the members.',
  })
  order?: string | null;

  @Field(() => [OrganizationMemberRole], { ...optional, description: 'Only members with one of these roles.' })
  role?: string[] | null;

  @Field(() => String, { ...optional, description: 'Part of the name or e-mail address.' })
  search?: string | null;

  @Field(() => OrganizationMemberSecurityInput, {
    ...optional,
    description: 'Only members whose accounts are secured in this way.',
  })
  security?: OrganizationMemberSecurityInput | null;

  @Field(() => OrganizationMemberSSOInput, {
    ...optional,
    description: 'Only members with this single sign-on setting.',
  })
  sso?: OrganizationMemberSSOInput | null;

  @Field(() => TeamSelector, {
    ...optional,
    description: 'Only members of the team with this slug; with a leading `!`, members outside the team.',
  })
  team?: string | null;
}

@ArgsType()
export class OrganizationAgentsArguments extends PageArguments {
  @Field(() => ID, { ...optional, description: 'Only agents of the cluster with this GraphQL ID or UUID.' })
  cluster?: string | null;

  @Field(() => [ID], { ...optional, description: 'Only agents of the queues with these GraphQL IDs or UUIDs.' })
  clusterQueue?: string[] | null;

  @Field(() => Boolean, { ...clustered, description: 'False for only agents without a cluster.' })
  clustered?: boolean | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'True for only agents that hold a job, false for only idle agents.',
  })
  isRunningJob?: boolean | null;

  @Field(() => [String], { ...optional, description: 'Only agents with all of these tags, each `key=value`.' })
  metaData?: string[] | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'True for only paused agents, false for only agents that are not paused.',
  })
  paused?: boolean | null;

  @Field(() => String, { ...optional, description: 'Part of the name or of a tag.' })
  search?: string | null;
}

@ArgsType()
export class OrganizationClustersArguments extends PageArguments {
  @Field(() => ClusterOrder, { ...optional, defaultValue: ClusterOrder.NAME, description: 'Order of the clusters.' })
  order?: string | null;
}
