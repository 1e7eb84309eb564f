import { ArgsType, Field, ID } from 'type-graphql';
import { PageArguments } from '../connections/arguments.js';
import { ClusterOrder, OrganizationMemberOrder, OrganizationMemberRole, PipelineOrders } from '../enums.js';
import { JobArguments } from '../jobs/job-arguments.js';
import { optional } from '../options.js';
import { PipelineRepositoryInput } from '../pipelines/pipeline-inputs.js';
import { DateTime } from '../scalars/date-time.js';
import { TeamSelector } from '../scalars/text.js';

const clustered = { ...optional, defaultValue: true, description: 'False: only what is in no cluster.' };

@ArgsType()
export class OrganizationPipelinesArguments extends PageArguments {
  @Field(() => Boolean, { ...optional, description: 'Only archived ones, or only active ones.' })
  archived?: boolean | null;

  @Field(() => ID, optional)
  cluster?: string | null;

  @Field(() => Boolean, clustered)
  clustered?: boolean | null;

  @Field(() => DateTime, optional)
  createdAtFrom?: Date | null;

  @Field(() => DateTime, optional)
  createdAtTo?: Date | null;

  @Field(() => Boolean, { ...optional, description: 'Only those the viewer has marked, or only the others.' })
  favorite?: boolean | null;

  @Field(() => PipelineOrders, { ...optional, defaultValue: PipelineOrders.RECENTLY_CREATED })
  order?: string | null;

  @Field(() => PipelineRepositoryInput, optional)
  repository?: PipelineRepositoryInput | null;

  @Field(() => String, { ...optional, description: 'Part of the name or slug.' })
  search?: string | null;

  @Field(() => [String], { ...optional, description: 'Tags that a pipeline must all have.' })
  tags?: string[] | null;

  @Field(() => TeamSelector, optional)
  team?: string | null;
}

@ArgsType()
export class OrganizationJobsArguments extends JobArguments {
  @Field(() => ID, optional)
  cluster?: string | null;

  @Field(() => [ID], optional)
  clusterQueue?: string[] | null;

  @Field(() => Boolean, clustered)
  clustered?: boolean | null;

  @Field(() => DateTime, optional)
  createdAtFrom?: Date | null;

  @Field(() => DateTime, optional)
  createdAtTo?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Any time of the day (UTC) on which the job finished.' })
  finishedAt?: Date | null;
}

@ArgsType()
export class OrganizationMembersArguments extends PageArguments {
  @Field(() => String, { ...optional, description: 'A whole e-mail address.' })
  email?: string | null;

  @Field(() => OrganizationMemberOrder, { ...optional, defaultValue: OrganizationMemberOrder.RECENTLY_CREATED })
  order?: string | null;

  @Field(() => [OrganizationMemberRole], optional)
  role?: string[] | null;

  @Field(() => String, { ...optional, description: 'Part of the name or e-mail address.' })
  search?: string | null;

  @Field(() => TeamSelector, optional)
  team?: string | null;
}

@ArgsType()
export class OrganizationAgentsArguments extends PageArguments {
  @Field(() => ID, optional)
  cluster?: string | null;

  @Field(() => [ID], optional)
  clusterQueue?: string[] | null;

  @Field(() => Boolean, clustered)
  clustered?: boolean | null;

  @Field(() => Boolean, optional)
  isRunningJob?: boolean | null;

  @Field(() => [String], { ...optional, description: 'Tags that an agent must all have.' })
  metaData?: string[] | null;

  @Field(() => Boolean, optional)
  paused?: boolean | null;

  @Field(() => String, { ...optional, description: 'Part of the name or of a tag.' })
  search?: string | null;
}

@ArgsType()
export class OrganizationClustersArguments extends PageArguments {
  @Field(() => ClusterOrder, { ...optional, defaultValue: ClusterOrder.NAME })
  order?: string | null;
}
