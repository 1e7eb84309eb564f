import { createUnionType, Field, ID, ObjectType } from 'type-graphql';
import type { AuditEventRow } from '../../../entities/database.js';
import { optional } from '../../server/options.js';
import { User } from '../user.js';
import { DateTime } from '../../scalars/date-time.js';

@ObjectType({ description: 'API request that made an audited change.' })
export class AuditAPIContext {
  @Field(() => String, { ...optional, description: 'UUID of the API token; null if unknown.' })
  requestApiAccessTokenUuid!: string | null;

  @Field(() => String, { ...optional, description: 'IP address of the caller; null if unknown.' })
  requestIpAddress!: string | null;

  @Field(() => String, { ...optional, description: 'User agent of the request; null if it had none.' })
  requestUserAgent!: string | null;
}

@ObjectType({
  description:
    'Agent session that made an audited change. Never returned, as agents make no audited changes; declared so ' +
    'that fragments on it are valid.',
})
export class AuditAgentAPIContext {
  @Field(() => String, { ...optional, description: 'UUID of the agent.' })
  agentUuid!: string | null;

  @Field(() => String, { ...optional, description: 'Type of credential that the agent presented.' })
  authenticationType!: string | null;

  @Field(() => String, { ...optional, description: 'Connection state of the agent at the time.' })
  connectionState!: string | null;

  @Field(() => String, { ...optional, description: "UUID of the agent's organization." })
  organizationUuid!: string | null;

  @Field(() => String, { ...optional, description: 'IP address of the request.' })
  requestIpAddress!: string | null;

  @Field(() => String, { ...optional, description: 'IP address from which the agent registered.' })
  sessionIpAddress!: string | null;
}

@ObjectType({
  description:
    'Web session that made an audited change. Never returned, as users act through API tokens; declared so that ' +
    'fragments on it are valid.',
})
export class AuditWebContext {
  @Field(() => String, { ...optional, description: 'IP address of the request.' })
  requestIpAddress!: string | null;

  @Field(() => String, { ...optional, description: 'User agent of the request.' })
  requestUserAgent!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time the user signed in.' })
  sessionCreatedAt!: Date | null;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time the user last confirmed their identity in the session; null if they did not.',
  })
  sessionEscalatedAt!: Date | null;

  @Field(() => User, { ...optional, description: 'User of the session.' })
  sessionUser!: User | null;

  @Field(() => ID, { ...optional, description: 'UUID of the user of the session.' })
  sessionUserUuid!: string | null;
}

export const AuditContext = createUnionType({
  name: 'AuditContext',
  description: 'Request that made an audited change.',
  types: () => [AuditAPIContext, AuditAgentAPIContext, AuditWebContext] as const,
  resolveType: () => 'AuditAPIContext',
});

/** Request that made the change of a row; null if no API request did, such as for a provisioning file. */
export function contextOf({ apiTokenId, ipAddress, userAgent }: AuditEventRow): AuditAPIContext | null {
  return apiTokenId === null
    ? null
    : { requestApiAccessTokenUuid: apiTokenId, requestIpAddress: ipAddress, requestUserAgent: userAgent };
}
