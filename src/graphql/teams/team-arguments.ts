import { ArgsType, Field } from 'type-graphql';
import { PageArguments } from '../connections/arguments.js';
import { TeamMemberOrder, TeamMemberRole, TeamOrder, TeamPipelineOrder, TeamPrivacy, TeamSuiteOrder } from '../enums.js';
import { optional } from '../options.js';
import { PipelineSelector, UserSelector } from '../scalars/text.js';

@ArgsType()
export class TeamArguments extends PageArguments {
  @Field(() => TeamOrder, { ...optional, defaultValue: TeamOrder.NAME })
  order?: string | null;

  @Field(() => PipelineSelector, { ...optional, description: 'Teams with access to a pipeline, or without.' })
  pipeline?: string | null;

  @Field(() => [TeamPrivacy], optional)
  privacy?: string[] | null;

  @Field(() => String, { ...optional, description: 'Part of the name.' })
  search?: string | null;

  @Field(() => UserSelector, { ...optional, description: 'Teams of a person, or those without that person.' })
  user?: string | null;
}

@ArgsType()
export class TeamMemberArguments extends PageArguments {
  @Field(() => TeamMemberOrder, { ...optional, defaultValue: TeamMemberOrder.RECENTLY_CREATED })
  order?: string | null;

  @Field(() => [TeamMemberRole], optional)
  role?: string[] | null;

  @Field(() => String, { ...optional, description: 'Part of the name or e-mail address.' })
  search?: string | null;
}

@ArgsType()
export class TeamPipelineArguments extends PageArguments {
  @Field(() => TeamPipelineOrder, { ...optional, defaultValue: TeamPipelineOrder.RECENTLY_CREATED })
  order?: string | null;

  @Field(() => String, { ...optional, description: 'Part of the name.' })
  search?: string | null;
}

@ArgsType()
export class TeamSuiteArguments extends PageArguments {
  @Field(() => TeamSuiteOrder, { ...optional, defaultValue: TeamSuiteOrder.RECENTLY_CREATED })
  order?: string | null;
}

@ArgsType()
export class SuiteTeamsArguments extends TeamSuiteArguments {
  @Field(() => String, { ...optional, description: 'Part of the name.' })
  search?: string | null;
}

@ArgsType()
export class MembershipArguments extends PageArguments {
  @Field(() => TeamMemberOrder, { ...optional, defaultValue: TeamMemberOrder.RECENTLY_CREATED })
  order?: string | null;
}
