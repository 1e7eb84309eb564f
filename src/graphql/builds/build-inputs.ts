import { Field, ID, InputType } from 'type-graphql';
import { BuildRetryFailedJobsStates } from '../enums.js';
import { IdInput, MutationInput } from '../mutation-input.js';
import { optional } from '../options.js';

@InputType({ description: 'The author of the commit of a build.' })
export class BuildAuthorInput {
  @Field(() => String)
  email!: string;

  @Field(() => String)
  name!: string;
}

@InputType({ description: 'A value that jobs of a build share.' })
export class BuildMetaDataInput {
  @Field(() => String)
  key!: string;

  @Field(() => String)
  value!: string;
}

/** The members from `cleanCheckout` on are ours, as on /v2. */
@InputType({ description: 'A build to be made.' })
export class BuildCreateInput extends MutationInput {
  @Field(() => BuildAuthorInput, optional)
  author?: BuildAuthorInput | null;

  @Field(() => String, { ...optional, description: 'The default branch of the pipeline where absent.' })
  branch?: string | null;

  @Field(() => String, { ...optional, description: '`HEAD` where absent.' })
  commit?: string | null;

  @Field(() => [String], { ...optional, description: 'Environment of all jobs, as `KEY=value`.' })
  env?: string[] | null;

  @Field(() => String, optional)
  message?: string | null;

  @Field(() => [BuildMetaDataInput], optional)
  metaData?: BuildMetaDataInput[] | null;

  @Field(() => ID, { description: 'The id or uuid of the pipeline.' })
  pipelineID!: string;

  @Field(() => Boolean, { ...optional, description: 'Whether agents start from an empty checkout.' })
  cleanCheckout?: boolean | null;

  @Field(() => Boolean, { ...optional, description: 'Whether it is made on branches too that the pipeline does not build.' })
  ignorePipelineBranchFilters?: boolean | null;

  @Field(() => String, optional)
  pullRequestBaseBranch?: string | null;

  @Field(() => ID, optional)
  pullRequestId?: string | null;

  @Field(() => [String], optional)
  pullRequestLabels?: string[] | null;

  @Field(() => String, optional)
  pullRequestRepository?: string | null;
}

@InputType({ description: 'A build to be canceled.' })
export class BuildCancelInput extends IdInput {
  @Field(() => String, { ...optional, description: 'Why; shown as its `cancelReason`.' })
  reason?: string | null;
}

@InputType({ description: 'A build to be built again.' })
export class BuildRebuildInput extends IdInput {}

@InputType({ description: 'A build whose failed jobs are to be retried.' })
export class BuildRetryFailedJobsInput extends IdInput {
  @Field(() => [BuildRetryFailedJobsStates], { ...optional, description: 'The ways they have failed; all of them where absent.' })
  states?: string[] | null;
}
