import { ArgsType, Field, ID } from 'type-graphql';
import { PageArguments } from '../../connections/arguments.js';
import { AuditActorType, AuditEventType, AuditSubjectType, OrganizationAuditEventOrders } from '../../enums.js';
import { optional } from '../../server/options.js';
import { DateTime } from '../../scalars/date-time.js';

/** Filters of a list of audit events. */
@ArgsType()
export class OrganizationAuditEventsArguments extends PageArguments {
  @Field(() => [ID], { ...optional, description: 'Only events of actors with these GraphQL IDs or UUIDs.' })
  actor?: string[] | null;

  @Field(() => [AuditActorType], { ...optional, description: 'Only events of actors of these types.' })
  actorType?: string[] | null;

  @Field(() => DateTime, { ...optional, description: 'Only events at or after this time.' })
  occurredAtFrom?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Only events before this time.' })
  occurredAtTo?: Date | null;

  @Field(() => OrganizationAuditEventOrders, {
    ...optional,
    defaultValue: OrganizationAuditEventOrders.RECENTLY_OCCURRED,
    description: 'Order of the events.',
  })
  order?: string | null;

  @Field(() => [ID], { ...optional, description: 'Only events about subjects with these GraphQL IDs or UUIDs.' })
  subject?: string[] | null;

  @Field(() => [AuditSubjectType], { ...optional, description: 'Only events about subjects of these types.' })
  subjectType?: string[] | null;

  @Field(() => [ID], { ...optional, description: 'Only events about subjects with these UUIDs.' })
  subjectUUID?: string[] | null;

  @Field(() => [AuditEventType], { ...optional, description: 'Only events of these types.' })
  type?: string[] | null;
}
