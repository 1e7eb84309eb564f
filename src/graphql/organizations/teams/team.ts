import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { TeamRow } from '../../../entities/database.js';
import { getTeam } from '../../../operations/organizations/teams/get.js';
import { connectionOf } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { TeamMemberRole, TeamPrivacy } from '../../enums.js';
import { slugParts } from '../../nodes/ids.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { Organization } from '../organization.js';
import { User } from '../user.js';
import { DateTime } from '../../scalars/date-time.js';

@ObjectType({
  implements: Node,
  description: 'Members of an organization who share access to pipelines and test suites.',
})
export class Team {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the team, its `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Slug of the team, unique in the organization.' })
  slug!: string;

  @Field(() => String, { description: 'Name of the team.' })
  name!: string;

  @Field(() => String, { ...optional, description: 'Description of the team; null without one.' })
  description!: string | null;

  @Field(() => TeamPrivacy, { description: 'Users who may see the team.' })
  privacy!: string;

  @Field(() => Boolean, {
    name: 'isDefaultTeam',
    description: 'Whether new members of the organization join the team.',
  })
  isDefault!: boolean;

  @Field(() => TeamMemberRole, { description: 'Role of members who join without a role of their own.' })
  defaultMemberRole!: string;

  @Field(() => Boolean, { description: 'Whether members may create pipelines in the team.' })
  membersCanCreatePipelines!: boolean;

  @Field(() => Boolean, { description: 'Whether members may create package registries in the team; stored only.' })
  membersCanCreateRegistries!: boolean;

  @Field(() => Boolean, { description: 'Whether members may create test suites in the team.' })
  membersCanCreateSuites!: boolean;

  @Field(() => Boolean, { description: 'Whether members may delete packages; stored only.' })
  membersCanDestroyPackages!: boolean;

  @Field(() => Boolean, { description: 'Whether members may delete package registries; stored only.' })
  membersCanDestroyRegistries!: boolean;

  @Field(() => DateTime, { description: 'Time the team was created.' })
  createdAt!: Date;
}

export const { Connection: TeamConnection, Edge: TeamEdge } = connectionOf('Team', () => Team);

@Resolver(() => Team)
export class TeamResolver {
  @Query(() => Team, {
    ...optional,
    description: 'A team by its slug (`organization/team`); null if absent or hidden.',
  })
  async team(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { description: 'Slug of the team: `organization/team`.' }) slug: string,
  ): Promise<TeamRow | null> {
    const [organization, name] = slugParts(slug, 2) ?? [];
    const subject = organization && name ? await context.find(getTeam, { team: { organization, slug: name } }) : null;
    return subject?.team ?? null;
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the team; null if no user did.' })
  createdBy(@Root() team: TeamRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, team.createdById);
  }

  @FieldResolver(() => Boolean, {
    deprecationReason: 'It has no effect.',
    description: 'Whether members may delete pipelines: always false, has no effect.',
  })
  membersCanDeletePipelines(): boolean {
    return false;
  }

  @FieldResolver(() => Organization, { ...optional, description: 'Organization that the team belongs to.' })
  organization(@Root() team: TeamRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(team.organizationId);
  }
}
