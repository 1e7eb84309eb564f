import { Arg, Ctx, Field, FieldResolver, ID, Int, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { AgentRow } from '../../entities/database.js';
import { getAgent } from '../../operations/agents/get.js';
import { isPaused } from '../../operations/agents/pause-state.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { slugParts, uuidOf } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType({ description: 'What an agent runs on.' })
export class OperatingSystem {
  @Field(() => String)
  name!: string;
}

@ObjectType({ implements: Node, description: 'A program that runs jobs.' })
export class Agent {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String, { description: 'One of connected, disconnected, lost, stopped, stopping, never_connected.' })
  connectionState!: string;

  @Field(() => String, { ...optional, name: 'architecture', description: 'The processor it runs on.' })
  arch!: string | null;

  @Field(() => String, optional)
  hostname!: string | null;

  @Field(() => String, optional)
  ipAddress!: string | null;

  @Field(() => [String], { ...optional, description: 'Its tags, as `key=value`.' })
  metaData!: string[];

  @Field(() => String, optional)
  pid!: string | null;

  @Field(() => Int, optional)
  priority!: number | null;

  @Field(() => String, optional)
  userAgent!: string | null;

  @Field(() => String, optional)
  version!: string | null;

  @Field(() => DateTime, optional)
  createdAt!: Date;

  @Field(() => DateTime, optional)
  connectedAt!: Date | null;

  @Field(() => DateTime, optional)
  disconnectedAt!: Date | null;

  @Field(() => DateTime, optional)
  heartbeatAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'When it was done with a job last.' })
  lastJobFinishedAt!: Date | null;

  @Field(() => DateTime, optional)
  lostAt!: Date | null;

  @Field(() => DateTime, optional)
  pausedAt!: Date | null;

  @Field(() => String, optional)
  pausedNote!: string | null;

  @Field(() => DateTime, { ...optional, deprecationReason: 'Use `heartbeatAt`.' })
  pingedAt!: Date | null;

  @Field(() => DateTime, optional)
  stopForcedAt!: Date | null;

  @Field(() => DateTime, { ...optional, deprecationReason: 'Use `stoppedGracefullyAt` or `stopForcedAt`.' })
  stoppedAt!: Date | null;

  @Field(() => DateTime, optional)
  stoppedGracefullyAt!: Date | null;
}

export const { Connection: AgentConnection } = connectionOf('Agent', () => Agent);

@Resolver(() => Agent)
export class AgentResolver {
  @Query(() => Agent, { ...optional, description: 'An agent by its slug (`organization/uuid`).' })
  async agent(@Ctx() context: GraphqlContext, @Arg('slug', () => ID) slug: string): Promise<AgentRow | null> {
    const [organization, id] = slugParts(slug, 2) ?? [];
    const found = organization && id ? await context.find(getAgent, { agent: { organization, id: uuidOf(id, ['Agent']) } }) : null;
    return found?.agent ?? null;
  }

  @FieldResolver(() => Boolean, { description: 'Whether its version is no longer looked after.' })
  isDeprecated(): boolean {
    return false;
  }

  @FieldResolver(() => OperatingSystem, optional)
  operatingSystem(@Root() agent: AgentRow): OperatingSystem | null {
    return agent.os === null ? null : { name: agent.os };
  }

  @FieldResolver(() => Boolean)
  paused(@Root() agent: AgentRow, @Ctx() context: GraphqlContext): boolean {
    return isPaused(agent, context.now);
  }

  @FieldResolver(() => Int, { description: 'Minutes after which a pause ends by itself; 0 where none was asked for.' })
  pausedTimeoutInMinutes(@Root() agent: AgentRow): number {
    return agent.pausedTimeoutInMinutes ?? 0;
  }

  @FieldResolver(() => Boolean, { description: 'Whether strangers may see it.' })
  public(): boolean {
    return false;
  }

  @FieldResolver(() => Boolean)
  versionHasKnownIssues(): boolean {
    return false;
  }
}
