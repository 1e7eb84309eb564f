import { Field, ID, InputType, Int } from 'type-graphql';
import { PipelineAccessLevels, PipelineVisibility } from '../enums.js';
import { MutationInput } from '../mutation-input.js';
import { PipelineRetentionInput } from '../retention/retention.js';
import { optional } from '../server/options.js';
import { JsonText } from '../scalars/json.js';

@InputType({ description: 'Source repository of a pipeline.' })
export class PipelineRepositoryInput {
  @Field(() => String, { description: 'URL of the repository.' })
  url!: string;
}

@InputType({ description: 'Steps of a pipeline.' })
export class PipelineStepsInput {
  @Field(() => String, { description: 'Definition of the steps in YAML.' })
  yaml!: string;
}

@InputType({ description: 'Tag that groups pipelines.' })
export class PipelineTagInput {
  @Field(() => String, { description: 'Text of the tag.' })
  label!: string;
}

@InputType({ description: 'Team that receives access to a pipeline.' })
export class PipelineTeamAssignmentInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the team.' })
  id!: string;

  @Field(() => PipelineAccessLevels, {
    ...optional,
    defaultValue: PipelineAccessLevels.MANAGE_BUILD_AND_READ,
    description: 'Access of the team to the pipeline.',
  })
  accessLevel?: string | null;
}

/**
 * Fields that creating and updating a pipeline share; `env`, `slug` and `providerSettings` extend the public schema by
 * fields of the REST API.
 */
@InputType('PipelineFieldsInput')
abstract class PipelineFieldsInput extends MutationInput {
  @Field(() => Boolean, {
    ...optional,
    defaultValue: true,
    description: 'Whether builds of the pipeline can be rebuilt.',
  })
  allowRebuilds?: boolean | null;

  @Field(() => String, {
    ...optional,
    description: 'Patterns of the branches that are built, separated by spaces; null for all branches.',
  })
  branchConfiguration?: string | null;

  @Field(() => Boolean, { ...optional, description: 'Whether a new build cancels running builds of the same branch.' })
  cancelIntermediateBuilds?: boolean | null;

  @Field(() => String, {
    ...optional,
    description: 'Patterns of the branches that `cancelIntermediateBuilds` applies to; null for all branches.',
  })
  cancelIntermediateBuildsBranchFilter?: string | null;

  @Field(() => String, { ...optional, description: 'URL of a mirror that agents clone from; null for none.' })
  cloneMirrorUrl?: string | null;

  @Field(() => ID, { ...optional, description: 'GraphQL ID or UUID of the cluster that runs the jobs.' })
  clusterId?: string | null;

  @Field(() => String, { ...optional, description: "Color of the pipeline's icon in hexadecimal, such as `#14CC80`." })
  color?: string | null;

  @Field(() => Int, {
    ...optional,
    description: 'Timeout of command steps that set none, in minutes; null or 0 for none.',
  })
  defaultTimeoutInMinutes?: number | null;

  @Field(() => String, { ...optional, description: 'Description of the pipeline.' })
  description?: string | null;

  @Field(() => String, { ...optional, description: 'Emoji of the pipeline, such as `:rocket:`.' })
  emoji?: string | null;

  @Field(() => [String], { ...optional, description: 'Environment of pipelines with visual steps, as `KEY=value`.' })
  env?: string[] | null;

  @Field(() => Int, {
    ...optional,
    description: 'Longest timeout that a command step can have, in minutes; null or 0 for none.',
  })
  maximumTimeoutInMinutes?: number | null;

  @Field(() => Int, { ...optional, description: 'Number of the next build; higher than that of every existing build.' })
  nextBuildNumber?: number | null;

  @Field(() => ID, {
    ...optional,
    description: 'GraphQL ID or UUID of the template that the pipeline runs; null for none.',
  })
  pipelineTemplateId?: string | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether a new build skips builds of the same branch that have not started.',
  })
  skipIntermediateBuilds?: boolean | null;

  @Field(() => String, {
    ...optional,
    description: 'Patterns of the branches that `skipIntermediateBuilds` applies to; null for all branches.',
  })
  skipIntermediateBuildsBranchFilter?: string | null;

  @Field(() => PipelineStepsInput, { ...optional, description: 'Steps of the pipeline.' })
  steps?: PipelineStepsInput | null;

  @Field(() => [PipelineTagInput], { ...optional, description: 'Tags of the pipeline; replaces all existing tags.' })
  tags?: PipelineTagInput[] | null;

  @Field(() => String, {
    ...optional,
    description: 'Slug of the pipeline. Default on creation: derived from the name.',
  })
  slug?: string | null;

  @Field(() => PipelineRetentionInput, {
    ...optional,
    description: 'Retention policy of the builds, which replaces the whole one; null for that of the organization.',
  })
  retention?: PipelineRetentionInput | null;

  @Field(() => JsonText, {
    ...optional,
    description: 'Settings of the source provider, with the names of the REST API.',
  })
  providerSettings?: unknown;
}

@InputType({ description: 'Input of `pipelineCreate`.' })
export class PipelineCreateInput extends PipelineFieldsInput {
  @Field(() => String, { ...optional, defaultValue: 'main', description: 'Default branch of the repository.' })
  defaultBranch?: string | null;

  @Field(() => String, { description: 'Name of the pipeline.' })
  name!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;

  @Field(() => PipelineRepositoryInput, { description: 'Source repository of the pipeline.' })
  repository!: PipelineRepositoryInput;

  @Field(() => [PipelineTeamAssignmentInput], {
    ...optional,
    description: 'Teams that receive access to the pipeline.',
  })
  teams?: PipelineTeamAssignmentInput[] | null;

  @Field(() => PipelineVisibility, {
    ...optional,
    defaultValue: PipelineVisibility.PRIVATE,
    description: 'Visibility of the pipeline.',
  })
  visibility?: string | null;
}

@InputType({ description: 'Input of `pipelineUpdate`; absent fields keep their values.' })
export class PipelineUpdateInput extends PipelineFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the pipeline.' })
  id!: string;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether the pipeline is archived. Use `pipelineArchive` and `pipelineUnarchive` instead.',
  })
  archived?: boolean | null;

  @Field(() => String, { ...optional, description: 'Default branch of the repository.' })
  defaultBranch?: string | null;

  @Field(() => String, { ...optional, description: 'Name of the pipeline.' })
  name?: string | null;

  @Field(() => PipelineRepositoryInput, { ...optional, description: 'Source repository of the pipeline.' })
  repository?: PipelineRepositoryInput | null;

  @Field(() => PipelineVisibility, { ...optional, description: 'Visibility of the pipeline.' })
  visibility?: string | null;
}
