import { Field, ID, InputType } from 'type-graphql';
import { BuildRetryFailedJobsStates } from '../enums.js';
import { IdInput, MutationInput } from '../mutation-input.js';
import { optional } from '../server/options.js';

@InputType({ description: 'Author of the commit of a build.' })
export class BuildAuthorInput {
  @Field(() => String, { description: 'Email address of the author.' })
  email!: string;

  @Field(() => String, { description: 'Name of the author.' })
  name!: string;
}

@InputType({ description: 'Meta-data value that the jobs of a build share.' })
export class BuildMetaDataInput {
  @Field(() => String, { description: 'Key of the value.' })
  key!: string;

  @Field(() => String, { description: 'Value of the key.' })
  value!: string;
}

/** The fields from `cleanCheckout` on extend the public schema by fields of the REST API. */
@InputType({ description: 'Input of `buildCreate`.' })
export class BuildCreateInput extends MutationInput {
  @Field(() => BuildAuthorInput, { ...optional, description: 'Author of the commit.' })
  author?: BuildAuthorInput | null;

  @Field(() => String, {
    ...optional,
    description: 'Branch of the commit. Default: the default branch of the pipeline.',
  })
  branch?: string | null;

  @Field(() => String, { ...optional, description: 'Commit to build. Default: `HEAD`.' })
  commit?: string | null;

  @Field(() => [String], { ...optional, description: 'Environment for every job, as `KEY=value`.' })
  env?: string[] | null;

  @Field(() => String, { ...optional, description: 'Message of the build.' })
  message?: string | null;

  @Field(() => [BuildMetaDataInput], { ...optional, description: 'Meta-data values that the build starts with.' })
  metaData?: BuildMetaDataInput[] | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the pipeline.' })
  pipelineID!: string;

  @Field(() => Boolean, { ...optional, description: 'Whether agents start from an empty checkout. Default: false.' })
  cleanCheckout?: boolean | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether the build is created even if the pipeline excludes its branch. Default: false.',
  })
  ignorePipelineBranchFilters?: boolean | null;

  @Field(() => String, { ...optional, description: 'Base branch of the pull request.' })
  pullRequestBaseBranch?: string | null;

  @Field(() => ID, { ...optional, description: 'Number of the pull request at the source provider.' })
  pullRequestId?: string | null;

  @Field(() => [String], { ...optional, description: 'Labels of the pull request.' })
  pullRequestLabels?: string[] | null;

  @Field(() => String, { ...optional, description: 'URL of the repository that the pull request comes from.' })
  pullRequestRepository?: string | null;
}

@InputType({ description: 'Input of `buildCancel`.' })
export class BuildCancelInput extends IdInput {
  @Field(() => String, { ...optional, description: 'Reason for the cancelation, shown as `cancelReason`.' })
  reason?: string | null;
}

@InputType({ description: 'Input of `buildPin`.' })
export class BuildPinInput extends IdInput {
  @Field(() => String, { ...optional, description: 'Reason for keeping the build.' })
  reason?: string | null;
}

@InputType({ description: 'Input of `buildUnpin`.' })
export class BuildUnpinInput extends IdInput {}

@InputType({ description: 'Input of `buildRebuild`.' })
export class BuildRebuildInput extends IdInput {}

@InputType({ description: 'Input of `buildRetryFailedJobs`.' })
export class BuildRetryFailedJobsInput extends IdInput {
  @Field(() => [BuildRetryFailedJobsStates], {
    ...optional,
    description: 'Ways of failing; only jobs that failed in one of them. Default: all.',
  })
  states?: string[] | null;
}
