import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { AgentRow } from '../../entities/database.js';
import { getAgent } from '../../operations/agents/get.js';
import { isPaused } from '../../engine/agents/pause-state.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { slugParts, uuidOf } from '../nodes/ids.js';
import { Node } from '../nodes/node.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType({ description: 'Operating system of an agent.' })
export class OperatingSystem {
  @Field(() => String, { description: 'Name of the operating system as the agent reports it, such as `linux`.' })
  name!: string;
}

@ObjectType({ implements: Node, description: 'A program that connects to the server and runs jobs.' })
export class Agent {
  @Field(() => String, { name: 'uuid', description: 'UUID of the agent, its `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Name of the agent, unique among connected agents of the organization.' })
  name!: string;

  @Field(() => String, {
    description: 'Connection state: `connected`, `disconnected`, `lost`, `stopped`, `stopping` or `never_connected`.',
  })
  connectionState!: string;

  @Field(() => String, {
    ...optional,
    name: 'architecture',
    description: 'Processor architecture, such as `amd64`; null if the agent did not report it.',
  })
  arch!: string | null;

  @Field(() => String, {
    ...optional,
    description: "Host name of the agent's machine; null if the agent did not report it.",
  })
  hostname!: string | null;

  @Field(() => String, { ...optional, description: 'IP address from which the agent last connected; null if unknown.' })
  ipAddress!: string | null;

  @Field(() => [String], { ...optional, description: 'Tags of the agent, each `key=value`.' })
  metaData!: string[];

  @Field(() => String, { ...optional, description: 'Process ID of the agent; null if the agent did not report it.' })
  pid!: string | null;

  @Field(() => Int, {
    ...optional,
    description: 'Priority of the agent: among idle agents, higher numbers get jobs first; null counts as 0.',
  })
  priority!: number | null;

  @Field(() => String, { ...optional, description: "User agent string of the agent's requests." })
  userAgent!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Version of the agent program; null if the agent did not report it.',
  })
  version!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time the agent registered.' })
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'Time the agent last connected; null if it never did.' })
  connectedAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the agent disconnected; null while it is connected.' })
  disconnectedAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: "Time of the agent's last heartbeat." })
  heartbeatAt!: Date;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time the agent last finished a job; null if it has finished none.',
  })
  lastJobFinishedAt!: Date | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time the server gave the agent up because heartbeats had stopped; null if it did not.',
  })
  lostAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the agent was paused; null while it is not paused.' })
  pausedAt!: Date | null;

  @Field(() => String, { ...optional, description: 'Note of the user who paused the agent; null without one.' })
  pausedNote!: string | null;

  @Field(() => DateTime, {
    ...optional,
    deprecationReason: 'Use `heartbeatAt`.',
    description: "Time of the agent's last ping; null before the first.",
  })
  pingedAt!: Date | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time a user stopped the agent and canceled its job; null if nobody did.',
  })
  stopForcedAt!: Date | null;

  @Field(() => DateTime, {
    ...optional,
    deprecationReason: 'Use `stoppedGracefullyAt` or `stopForcedAt`.',
    description: 'Time a user stopped the agent, gracefully or not; null if nobody did.',
  })
  stoppedAt!: Date | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time a user asked the agent to stop after its job; null if nobody did.',
  })
  stoppedGracefullyAt!: Date | null;
}

export const { Connection: AgentConnection } = connectionOf('Agent', () => Agent);

@Resolver(() => Agent)
export class AgentResolver {
  @Query(() => Agent, {
    ...optional,
    description: 'An agent by its slug (`organization/uuid`); null if absent or hidden.',
  })
  async agent(
    @Ctx() context: GraphqlContext,
    @Arg('slug', () => ID, { description: 'Slug of the agent: `organization/uuid`.' }) slug: string,
    @Info() info: GraphQLResolveInfo,
  ): Promise<AgentRow | null> {
    const [organization, id] = slugParts(slug, 2) ?? [];
    if (!organization || !id) return null;
    const address = { organization, id: uuidOf(id, ['Agent']) };
    return (await context.reach(getAgent, { agent: address }, info))?.agent ?? null;
  }

  @FieldResolver(() => Boolean, { description: 'Whether this agent version is unsupported: always false.' })
  isDeprecated(): boolean {
    return false;
  }

  @FieldResolver(() => OperatingSystem, {
    ...optional,
    description: 'Operating system of the agent; null if the agent did not report it.',
  })
  operatingSystem(@Root() agent: AgentRow): OperatingSystem | null {
    return agent.os === null ? null : { name: agent.os };
  }

  @FieldResolver(() => Boolean, { description: 'Whether the agent is paused and gets no jobs.' })
  paused(@Root() agent: AgentRow, @Ctx() context: GraphqlContext): boolean {
    return isPaused(agent, context.now);
  }

  @FieldResolver(() => Int, {
    description: 'Minutes after which a pause ends by itself; 0 if the agent is not paused or the pause has no end.',
  })
  pausedTimeoutInMinutes(@Root() agent: AgentRow): number {
    return agent.pausedTimeoutInMinutes ?? 0;
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether callers outside the organization may see the agent: always false.',
  })
  public(): boolean {
    return false;
  }

  @FieldResolver(() => Boolean, { description: 'Whether this agent version has known issues: always false.' })
  versionHasKnownIssues(): boolean {
    return false;
  }
}
