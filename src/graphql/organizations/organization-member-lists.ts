import { Args, ArgsType, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { PipelineRow, Row } from '../../entities/database.js';
import { listPipelines } from '../../operations/pipelines/list.js';
import { listTeamMembers } from '../../operations/teams/list-members.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { PipelineOrders } from '../enums.js';
import { optional } from '../options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { MembershipArguments } from '../teams/team-arguments.js';
import { TeamMemberConnection } from '../teams/team-member.js';
import { OrganizationMember } from './organization-member.js';

type MemberRow = Row<'organization_members'>;

@ObjectType({ description: 'A pipeline that a member of an organization has access to.' })
export class OrganizationMemberPipeline {
  @Field(() => Pipeline)
  pipeline!: unknown;
}

const { Connection: OrganizationMemberPipelineConnection } = connectionOf('OrganizationMemberPipeline', () => OrganizationMemberPipeline);

@ArgsType()
class MemberPipelinesArguments extends PageArguments {
  @Field(() => PipelineOrders, { ...optional, defaultValue: PipelineOrders.RECENTLY_CREATED })
  order?: string | null;

  @Field(() => String, { ...optional, description: 'Part of the name or slug.' })
  search?: string | null;
}

/** What a member of an organization has to do with other things. */
@Resolver(() => OrganizationMember)
export class OrganizationMemberListsResolver {
  @FieldResolver(() => OrganizationMemberPipelineConnection, { description: 'Pipelines that the member may see, as far as the viewer may see them too.' })
  async pipelines(@Root() member: MemberRow, @Ctx() context: GraphqlContext, @Args(() => MemberPipelinesArguments) given: MemberPipelinesArguments) {
    const page = await context.perform(listPipelines, {
      organization: { id: member.organizationId }, memberId: member.userId, search: given.search, order: given.order ?? undefined, paging: stretchOf(given),
    });
    const connection = connectionValue<PipelineRow>(page);
    return {
      ...connection,
      edges: connection.edges.map(({ cursor, node }) => ({ cursor, node: { pipeline: node } })),
      nodes: connection.nodes.map((pipeline) => ({ pipeline })),
    };
  }

  @FieldResolver(() => TeamMemberConnection, { description: 'Memberships in teams that the viewer may see.' })
  async teams(@Root() member: MemberRow, @Ctx() context: GraphqlContext, @Args(() => MembershipArguments) given: MembershipArguments) {
    const user = { organizationId: member.organizationId, id: member.userId };
    return connectionValue(await context.perform(listTeamMembers, { user, order: given.order ?? undefined, paging: stretchOf(given) }));
  }
}
