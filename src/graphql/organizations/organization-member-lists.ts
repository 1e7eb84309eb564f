import { Args, ArgsType, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { ShownPipelineRow, Row } from '../../entities/database.js';
import { listPipelines } from '../../operations/pipelines/list.js';
import { listTeamMembers } from '../../operations/organizations/team-members/list.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { PipelineOrders } from '../enums.js';
import { optional } from '../server/options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { MembershipArguments } from './teams/team-arguments.js';
import { TeamMemberConnection } from './teams/team-member.js';
import { OrganizationMember } from './organization-member.js';

type MemberRow = Row<'organization_members'>;

@ObjectType({ description: 'A pipeline that a member of an organization has access to.' })
export class OrganizationMemberPipeline {
  @Field(() => Pipeline, { description: 'The pipeline.' })
  pipeline!: unknown;
}

const { Connection: OrganizationMemberPipelineConnection } = connectionOf(
  'OrganizationMemberPipeline',
  () => OrganizationMemberPipeline,
);

@ArgsType()
class MemberPipelinesArguments extends PageArguments {
  @Field(() => PipelineOrders, {
    ...optional,
    defaultValue: PipelineOrders.RECENTLY_CREATED,
    description: 'Order of the pipelines.',
  })
  order?: string | null;

  @Field(() => String, { ...optional, description: 'Part of the name or slug.' })
  search?: string | null;
}

/** Lists of an organization member. */
@Resolver(() => OrganizationMember)
export class OrganizationMemberListsResolver {
  @FieldResolver(() => OrganizationMemberPipelineConnection, {
    description: 'Pipelines that both the member and the viewer may see.',
  })
  async pipelines(
    @Root() member: MemberRow,
    @Ctx() context: GraphqlContext,
    @Args(() => MemberPipelinesArguments) args: MemberPipelinesArguments,
  ) {
    const page = await context.performInBatch(
      listPipelines,
      { organization: { id: member.organizationId }, memberId: member.userId },
      { search: args.search, order: args.order ?? undefined, paging: stretchOf(args) },
    );
    const connection = connectionValue<ShownPipelineRow>(page);
    return {
      ...connection,
      edges: connection.edges.map(({ cursor, node }) => ({ cursor, node: { pipeline: node } })),
      nodes: connection.nodes.map((pipeline) => ({ pipeline })),
    };
  }

  @FieldResolver(() => TeamMemberConnection, {
    description: 'Memberships of the user in teams that the viewer may see.',
  })
  async teams(
    @Root() member: MemberRow,
    @Ctx() context: GraphqlContext,
    @Args(() => MembershipArguments) args: MembershipArguments,
  ) {
    const user = { organizationId: member.organizationId, id: member.userId };
    return connectionValue(
      await context.performInBatch(
        listTeamMembers,
        { user },
        { order: args.order ?? undefined, paging: stretchOf(args) },
      ),
    );
  }
}
