import { Field, ID, InputType } from 'type-graphql';
import { PipelineAccessLevels, SuiteAccessLevels, TeamMemberRole, TeamPrivacy } from '../../enums.js';
import { IdInput, MutationInput } from '../../mutation-input.js';
import { optional } from '../../server/options.js';

const byDefault = { ...optional, defaultValue: true };
const notByDefault = { ...optional, defaultValue: false };
const noEffect = { ...byDefault, description: 'It has no effect.' };

@InputType({ description: 'Organization to enable teams in.' })
export class OrganizationTeamsEnableInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationId!: string;
}

/** Fields that creating and updating a team share. */
@InputType('TeamFieldsInput')
abstract class TeamFieldsInput extends MutationInput {
  @Field(() => TeamMemberRole, { description: 'Role of members who join without a role of their own.' })
  defaultMemberRole!: string;

  @Field(() => String, { ...optional, description: 'Description of the team.' })
  description?: string | null;

  @Field(() => Boolean, { description: 'Whether new members of the organization join the team.' })
  isDefaultTeam!: boolean;

  @Field(() => Boolean, { ...noEffect, description: 'Ignored: has no effect.' })
  membersCanDeletePipelines?: boolean | null;

  @Field(() => String, { description: 'Name of the team, unique in the organization.' })
  name!: string;
}

@InputType({ description: 'Fields of a new team.' })
export class TeamCreateInput extends TeamFieldsInput {
  @Field(() => Boolean, { ...byDefault, description: 'Whether members may create pipelines in the team.' })
  membersCanCreatePipelines?: boolean | null;

  @Field(() => Boolean, {
    ...byDefault,
    description: 'Whether members may create package registries in the team; stored only.',
  })
  membersCanCreateRegistries?: boolean | null;

  @Field(() => Boolean, { ...byDefault, description: 'Whether members may create test suites in the team.' })
  membersCanCreateSuites?: boolean | null;

  @Field(() => Boolean, { ...notByDefault, description: 'Whether members may delete packages; stored only.' })
  membersCanDestroyPackages?: boolean | null;

  @Field(() => Boolean, { ...notByDefault, description: 'Whether members may delete package registries; stored only.' })
  membersCanDestroyRegistries?: boolean | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the organization.' })
  organizationID!: string;

  @Field(() => TeamPrivacy, { description: 'Users who may see the team.' })
  privacy!: string;
}

@InputType({ description: 'Team to update; absent fields stay unchanged.' })
export class TeamUpdateInput extends TeamFieldsInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the team.' })
  id!: string;

  @Field(() => Boolean, { ...optional, description: 'Whether members may create pipelines in the team.' })
  membersCanCreatePipelines?: boolean | null;

  @Field(() => Boolean, {
    ...optional,
    description: 'Whether members may create package registries in the team; stored only.',
  })
  membersCanCreateRegistries?: boolean | null;

  @Field(() => Boolean, { ...optional, description: 'Whether members may create test suites in the team.' })
  membersCanCreateSuites?: boolean | null;

  @Field(() => Boolean, { ...optional, description: 'Whether members may delete packages; stored only.' })
  membersCanDestroyPackages?: boolean | null;

  @Field(() => Boolean, { ...optional, description: 'Whether members may delete package registries; stored only.' })
  membersCanDestroyRegistries?: boolean | null;

  @Field(() => TeamPrivacy, { ...optional, description: 'Users who may see the team.' })
  privacy?: string | null;
}

@InputType({ description: 'Team to delete.' })
export class TeamDeleteInput extends IdInput {}

@InputType({ description: 'User to add to a team.' })
export class TeamMemberCreateInput extends MutationInput {
  @Field(() => TeamMemberRole, {
    ...optional,
    description: "Role of the new member; the team's default role if absent.",
  })
  role?: string | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the team.' })
  teamID!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the user.' })
  userID!: string;
}

@InputType({ description: 'Team membership with its new role.' })
export class TeamMemberUpdateInput extends IdInput {
  @Field(() => TeamMemberRole, { description: 'New role of the member.' })
  role!: string;
}

@InputType({ description: 'Team membership to delete.' })
export class TeamMemberDeleteInput extends IdInput {}

const force = { ...optional, description: 'Also where no other team has access.' };

@InputType({ description: 'Access of a team to a pipeline.' })
export class TeamPipelineCreateInput extends MutationInput {
  @Field(() => PipelineAccessLevels, {
    ...optional,
    defaultValue: PipelineAccessLevels.READ_ONLY,
    description: "Access level of the team's members.",
  })
  accessLevel?: string | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the pipeline.' })
  pipelineID!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the team.' })
  teamID!: string;
}

@InputType({ description: 'Access to a pipeline with its new level.' })
export class TeamPipelineUpdateInput extends IdInput {
  @Field(() => PipelineAccessLevels, { description: 'New access level.' })
  accessLevel!: string;
}

@InputType({ description: 'Access to a pipeline to revoke.' })
export class TeamPipelineDeleteInput extends IdInput {
  @Field(() => Boolean, {
    ...force,
    description: 'Whether to revoke the access even if no other team has access to the pipeline.',
  })
  force?: boolean | null;
}

@InputType({ description: 'Access of a team to a test suite.' })
export class TeamSuiteCreateInput extends MutationInput {
  @Field(() => SuiteAccessLevels, {
    ...optional,
    defaultValue: SuiteAccessLevels.READ_ONLY,
    description: "Access level of the team's members.",
  })
  accessLevel?: string | null;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the test suite.' })
  suiteID!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the team.' })
  teamID!: string;
}

@InputType({ description: 'Access to a test suite with its new level.' })
export class TeamSuiteUpdateInput extends IdInput {
  @Field(() => SuiteAccessLevels, { description: 'New access level.' })
  accessLevel!: string;
}

@InputType({ description: 'Access to a test suite to revoke.' })
export class TeamSuiteDeleteInput extends IdInput {
  @Field(() => Boolean, {
    ...force,
    description: 'Whether to revoke the access even if no other team has access to the test suite.',
  })
  force?: boolean | null;
}
