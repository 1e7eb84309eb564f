import { Args, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { SessionRow } from '../../../entities/database.js';
import { getSession } from '../../../operations/organizations/sessions/get.js';
import { listSessions } from '../../../operations/organizations/sessions/list.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { SessionSignInMethod } from '../../enums.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { Viewer } from '../viewer.js';

@ObjectType({ description: 'A browser in which the viewer is signed in to the console.' })
export class Session {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the session.' })
  id!: string;

  @Field(() => SessionSignInMethod, { description: 'Way in which the viewer signed in.' })
  method!: string;

  @Field(() => DateTime, { description: 'Time of the sign-in.' })
  createdAt!: Date;

  @Field(() => DateTime, { description: 'Time the session ends at the latest; it ends earlier when it is not used.' })
  expiresAt!: Date;

  @Field(() => DateTime, { description: 'Time of the last request, to within a minute.' })
  lastUsedAt!: Date;

  @Field(() => String, { ...optional, description: 'IP address of the last request; null if it is unknown.' })
  ipAddress!: string | null;

  @Field(() => String, { ...optional, description: '`User-Agent` of the last request; null without one.' })
  userAgent!: string | null;
}

export const { Connection: SessionConnection, Edge: SessionEdge } = connectionOf('Session', () => Session);

@Resolver(() => Session)
export class SessionResolver {
  @FieldResolver(() => ID, { name: 'id', description: 'GraphQL ID of the session.' })
  nodeId(@Root() session: SessionRow): string {
    return encodeNodeId('Session', session.id);
  }

  @FieldResolver(() => Boolean, { description: 'Whether this request belongs to the session.' })
  current(@Root() session: SessionRow, @Ctx() { actor }: GraphqlContext): boolean {
    return actor.kind === 'user' && actor.sessionId === session.id;
  }
}

@Resolver(() => Viewer)
export class ViewerSessionsResolver {
  @FieldResolver(() => Session, {
    ...optional,
    description: 'Session of this request; null for a request with an API token.',
  })
  session(@Ctx() context: GraphqlContext) {
    return context.find(getSession, {});
  }

  @FieldResolver(() => SessionConnection, {
    ...optional,
    description: 'Sessions of the viewer, newest first. Only for people who are signed in to the console.',
  })
  async sessions(@Ctx() context: GraphqlContext, @Args(() => PageArguments) args: PageArguments) {
    return connectionValue(await context.perform(listSessions, { paging: stretchOf(args) }));
  }
}
