import { Field, ID, InputType } from 'type-graphql';
import { PipelineAccessLevels, SuiteAccessLevels, TeamMemberRole, TeamPrivacy } from '../enums.js';
import { IdInput, MutationInput } from '../mutation-input.js';
import { optional } from '../options.js';

const byDefault = { ...optional, defaultValue: true };
const notByDefault = { ...optional, defaultValue: false };
const noEffect = { ...byDefault, description: 'It has no effect.' };

@InputType({ description: 'An organization whose teams are to decide who may see a pipeline.' })
export class OrganizationTeamsEnableInput extends MutationInput {
  @Field(() => ID)
  organizationId!: string;
}

@InputType({ description: 'A team to be made.' })
export class TeamCreateInput extends MutationInput {
  @Field(() => TeamMemberRole)
  defaultMemberRole!: string;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => Boolean, { description: 'Whether new members of the organization join it.' })
  isDefaultTeam!: boolean;

  @Field(() => Boolean, byDefault)
  membersCanCreatePipelines?: boolean | null;

  @Field(() => Boolean, byDefault)
  membersCanCreateRegistries?: boolean | null;

  @Field(() => Boolean, byDefault)
  membersCanCreateSuites?: boolean | null;

  @Field(() => Boolean, noEffect)
  membersCanDeletePipelines?: boolean | null;

  @Field(() => Boolean, notByDefault)
  membersCanDestroyPackages?: boolean | null;

  @Field(() => Boolean, notByDefault)
  membersCanDestroyRegistries?: boolean | null;

  @Field(() => String)
  name!: string;

  @Field(() => ID)
  organizationID!: string;

  @Field(() => TeamPrivacy)
  privacy!: string;
}

@InputType({ description: 'Changes to a team; what is absent stays as it is.' })
export class TeamUpdateInput extends IdInput {
  @Field(() => TeamMemberRole)
  defaultMemberRole!: string;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => Boolean, { description: 'Whether new members of the organization join it.' })
  isDefaultTeam!: boolean;

  @Field(() => Boolean, optional)
  membersCanCreatePipelines?: boolean | null;

  @Field(() => Boolean, optional)
  membersCanCreateRegistries?: boolean | null;

  @Field(() => Boolean, optional)
  membersCanCreateSuites?: boolean | null;

  @Field(() => Boolean, noEffect)
  membersCanDeletePipelines?: boolean | null;

  @Field(() => Boolean, optional)
  membersCanDestroyPackages?: boolean | null;

  @Field(() => Boolean, optional)
  membersCanDestroyRegistries?: boolean | null;

  @Field(() => String)
  name!: string;

  @Field(() => TeamPrivacy, optional)
  privacy?: string | null;
}

@InputType({ description: 'A team to be deleted.' })
export class TeamDeleteInput extends IdInput {}

@InputType({ description: 'A person to be taken into a team.' })
export class TeamMemberCreateInput extends MutationInput {
  @Field(() => TeamMemberRole, { ...optional, description: 'Absent: the role that the team has for new members.' })
  role?: string | null;

  @Field(() => ID)
  teamID!: string;

  @Field(() => ID)
  userID!: string;
}

@InputType({ description: 'Another role for a member of a team.' })
export class TeamMemberUpdateInput extends IdInput {
  @Field(() => TeamMemberRole)
  role!: string;
}

@InputType({ description: 'A member to be taken out of a team.' })
export class TeamMemberDeleteInput extends IdInput {}

const force = { ...optional, description: 'Also where no other team has access.' };

@InputType({ description: 'A pipeline that a team is to have access to.' })
export class TeamPipelineCreateInput extends MutationInput {
  @Field(() => PipelineAccessLevels, { ...optional, defaultValue: PipelineAccessLevels.READ_ONLY })
  accessLevel?: string | null;

  @Field(() => ID)
  pipelineID!: string;

  @Field(() => ID)
  teamID!: string;
}

@InputType({ description: 'Another level of access for a team.' })
export class TeamPipelineUpdateInput extends IdInput {
  @Field(() => PipelineAccessLevels)
  accessLevel!: string;
}

@InputType({ description: 'Access to a pipeline to be taken away from a team.' })
export class TeamPipelineDeleteInput extends IdInput {
  @Field(() => Boolean, force)
  force?: boolean | null;
}

@InputType({ description: 'A test suite that a team is to have access to.' })
export class TeamSuiteCreateInput extends MutationInput {
  @Field(() => SuiteAccessLevels, { ...optional, defaultValue: SuiteAccessLevels.READ_ONLY })
  accessLevel?: string | null;

  @Field(() => ID)
  suiteID!: string;

  @Field(() => ID)
  teamID!: string;
}

@InputType({ description: 'Another level of access for a team.' })
export class TeamSuiteUpdateInput extends IdInput {
  @Field(() => SuiteAccessLevels)
  accessLevel!: string;
}

@InputType({ description: 'Access to a test suite to be taken away from a team.' })
export class TeamSuiteDeleteInput extends IdInput {
  @Field(() => Boolean, force)
  force?: boolean | null;
}
