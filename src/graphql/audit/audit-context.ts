import { createUnionType, Field, ID, ObjectType } from 'type-graphql';
import type { AuditEventRow } from '../../entities/database.js';
import { optional } from '../options.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';

@ObjectType({ description: 'The request with an API token that made a change.' })
export class AuditAPIContext {
  @Field(() => String, { ...optional, description: 'The uuid of the token.' })
  requestApiAccessTokenUuid!: string | null;

  @Field(() => String, optional)
  requestIpAddress!: string | null;

  @Field(() => String, optional)
  requestUserAgent!: string | null;
}

@ObjectType({ description: 'The session of an agent that made a change. Agents make none that is audited: it is there so that fragments on it are valid.' })
export class AuditAgentAPIContext {
  @Field(() => String, optional)
  agentUuid!: string | null;

  @Field(() => String, optional)
  authenticationType!: string | null;

  @Field(() => String, optional)
  connectionState!: string | null;

  @Field(() => String, optional)
  organizationUuid!: string | null;

  @Field(() => String, optional)
  requestIpAddress!: string | null;

  @Field(() => String, optional)
  sessionIpAddress!: string | null;
}

@ObjectType({ description: 'The session of a person that made a change. Here people use tokens: it is there so that fragments on it are valid.' })
export class AuditWebContext {
  @Field(() => String, optional)
  requestIpAddress!: string | null;

  @Field(() => String, optional)
  requestUserAgent!: string | null;

  @Field(() => DateTime, optional)
  sessionCreatedAt!: Date | null;

  @Field(() => DateTime, optional)
  sessionEscalatedAt!: Date | null;

  @Field(() => User, optional)
  sessionUser!: User | null;

  @Field(() => ID, optional)
  sessionUserUuid!: string | null;
}

export const AuditContext = createUnionType({
  name: 'AuditContext',
  description: 'How a change was asked for.',
  types: () => [AuditAPIContext, AuditAgentAPIContext, AuditWebContext] as const,
  resolveType: () => 'AuditAPIContext',
});

/** The request behind a row; null for what was asked for otherwise, such as by a provisioning file. */
export function contextOf({ apiTokenId, ipAddress, userAgent }: AuditEventRow): AuditAPIContext | null {
  return apiTokenId === null ? null : { requestApiAccessTokenUuid: apiTokenId, requestIpAddress: ipAddress, requestUserAgent: userAgent };
}
