import { Field, ID, InputType, Int } from 'type-graphql';
import { PipelineAccessLevels, PipelineVisibility } from '../enums.js';
import { MutationInput } from '../mutation-input.js';
import { optional } from '../options.js';
import { JsonText } from '../scalars/json.js';

@InputType({ description: 'Where the source of a pipeline is.' })
export class PipelineRepositoryInput {
  @Field(() => String)
  url!: string;
}

@InputType({ description: 'What a pipeline does, step by step.' })
export class PipelineStepsInput {
  @Field(() => String)
  yaml!: string;
}

@InputType({ description: 'A word that pipelines are grouped by.' })
export class PipelineTagInput {
  @Field(() => String)
  label!: string;
}

@InputType({ description: 'A team that is given access to a pipeline.' })
export class PipelineTeamAssignmentInput {
  @Field(() => ID)
  id!: string;

  @Field(() => PipelineAccessLevels, { ...optional, defaultValue: PipelineAccessLevels.MANAGE_BUILD_AND_READ })
  accessLevel?: string | null;
}

/** What creating and updating a pipeline both take; `env`, `slug` and `providerSettings` are ours, as on /v2. */
@InputType('PipelineFieldsInput')
abstract class PipelineFieldsInput extends MutationInput {
  @Field(() => Boolean, { ...optional, defaultValue: true })
  allowRebuilds?: boolean | null;

  @Field(() => String, optional)
  branchConfiguration?: string | null;

  @Field(() => Boolean, optional)
  cancelIntermediateBuilds?: boolean | null;

  @Field(() => String, optional)
  cancelIntermediateBuildsBranchFilter?: string | null;

  @Field(() => String, optional)
  cloneMirrorUrl?: string | null;

  @Field(() => ID, { ...optional, description: 'The id or uuid of a cluster.' })
  clusterId?: string | null;

  @Field(() => String, optional)
  color?: string | null;

  @Field(() => Int, optional)
  defaultTimeoutInMinutes?: number | null;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String, optional)
  emoji?: string | null;

  @Field(() => [String], { ...optional, description: 'Environment of visual steps, as `KEY=value`.' })
  env?: string[] | null;

  @Field(() => Int, optional)
  maximumTimeoutInMinutes?: number | null;

  @Field(() => Int, optional)
  nextBuildNumber?: number | null;

  @Field(() => ID, optional)
  pipelineTemplateId?: string | null;

  @Field(() => Boolean, optional)
  skipIntermediateBuilds?: boolean | null;

  @Field(() => String, optional)
  skipIntermediateBuildsBranchFilter?: string | null;

  @Field(() => PipelineStepsInput, optional)
  steps?: PipelineStepsInput | null;

  @Field(() => [PipelineTagInput], optional)
  tags?: PipelineTagInput[] | null;

  @Field(() => String, { ...optional, description: 'The last part of its address; made from the name where absent.' })
  slug?: string | null;

  @Field(() => JsonText, { ...optional, description: 'Settings of the source provider, named as on /v2.' })
  providerSettings?: unknown;
}

@InputType({ description: 'A pipeline to be made.' })
export class PipelineCreateInput extends PipelineFieldsInput {
  @Field(() => String, { ...optional, defaultValue: 'main' })
  defaultBranch?: string | null;

  @Field(() => String)
  name!: string;

  @Field(() => ID)
  organizationId!: string;

  @Field(() => PipelineRepositoryInput)
  repository!: PipelineRepositoryInput;

  @Field(() => [PipelineTeamAssignmentInput], optional)
  teams?: PipelineTeamAssignmentInput[] | null;

  @Field(() => PipelineVisibility, { ...optional, defaultValue: PipelineVisibility.PRIVATE })
  visibility?: string | null;
}

@InputType({ description: 'Changes to a pipeline; what is absent stays as it is.' })
export class PipelineUpdateInput extends PipelineFieldsInput {
  @Field(() => ID)
  id!: string;

  @Field(() => Boolean, { ...optional, description: 'Archives it, or takes it out of the archive; there are mutations for that.' })
  archived?: boolean | null;

  @Field(() => String, optional)
  defaultBranch?: string | null;

  @Field(() => String, optional)
  name?: string | null;

  @Field(() => PipelineRepositoryInput, optional)
  repository?: PipelineRepositoryInput | null;

  @Field(() => PipelineVisibility, optional)
  visibility?: string | null;
}
