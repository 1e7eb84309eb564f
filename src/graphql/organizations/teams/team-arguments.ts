import { ArgsType, Field } from 'type-graphql';
import { PageArguments } from '../../connections/arguments.js';
import {
  TeamMemberOrder,
  TeamMemberRole,
  TeamOrder,
  TeamPipelineOrder,
  TeamPrivacy,
  TeamSuiteOrder,
} from '../../enums.js';
import { optional } from '../../server/options.js';
import { PipelineSelector, UserSelector } from '../../scalars/text.js';

@ArgsType()
export class TeamArguments extends PageArguments {
  @Field(() => TeamOrder, { ...optional, defaultValue: TeamOrder.NAME, description: 'Order of the teams.' })
  order?: string | null;

  @Field(() => PipelineSelector, {
    ...optional,
    description: 'Only teams with access to the pipeline with this slug; with a leading `!`, teams without.',
  })
  pipeline?: string | null;

  @Field(() => [TeamPrivacy], { ...optional, description: 'Only teams with one of these privacy settings.' })
  privacy?: string[] | null;

  @Field(() => String, { ...optional, description: 'Part of the name.' })
  search?: string | null;

  @Field(() => UserSelector, {
    ...optional,
    description: 'Only teams of the user with this UUID; with a leading `!`, teams without that user.',
  })
  user?: string | null;
}

@ArgsType()
export class TeamMemberArguments extends PageArguments {
  @Field(() => TeamMemberOrder, {
    ...optional,
    defaultValue: TeamMemberOrder.RECENTLY_CREATED,
    description: 'Order of the members.',
  })
  order?: string | null;

  @Field(() => [TeamMemberRole], { ...optional, description: 'Only members with one of these roles.' })
  role?: string[] | null;

  @Field(() => String, { ...optional, description: 'Part of the name or e-mail address.' })
  search?: string | null;
}

@ArgsType()
export class TeamPipelineArguments extends PageArguments {
  @Field(() => TeamPipelineOrder, {
    ...optional,
    defaultValue: TeamPipelineOrder.RECENTLY_CREATED,
    description: 'Order of the pipelines.',
  })
  order?: string | null;

  @Field(() => String, { ...optional, description: 'Part of the name.' })
  search?: string | null;
}

@ArgsType()
export class TeamSuiteArguments extends PageArguments {
  @Field(() => TeamSuiteOrder, {
    ...optional,
    defaultValue: TeamSuiteOrder.RECENTLY_CREATED,
    description: 'Order of the test suites.',
  })
  order?: string | null;
}

@ArgsType()
export class SuiteTeamsArguments extends TeamSuiteArguments {
  @Field(() => String, { ...optional, description: 'Part of the name.' })
  search?: string | null;
}

@ArgsType()
export class MembershipArguments extends PageArguments {
  @Field(() => TeamMemberOrder, {
    ...optional,
    defaultValue: TeamMemberOrder.RECENTLY_CREATED,
    description: 'Order of the memberships.',
  })
  order?: string | null;
}
