import { ArgsType, Field, ID } from 'type-graphql';
import { PageArguments } from '../connections/arguments.js';
import { AuditActorType, AuditEventType, AuditSubjectType, OrganizationAuditEventOrders } from '../enums.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';

/** What a list of audit events can be narrowed to (graphql-facts 4, Organization.auditEvents). */
@ArgsType()
export class OrganizationAuditEventsArguments extends PageArguments {
  @Field(() => [ID], { ...optional, description: 'Ids or uuids of who did it.' })
  actor?: string[] | null;

  @Field(() => [AuditActorType], optional)
  actorType?: string[] | null;

  @Field(() => DateTime, { ...optional, description: 'At or after this time.' })
  occurredAtFrom?: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Before this time.' })
  occurredAtTo?: Date | null;

  @Field(() => OrganizationAuditEventOrders, { ...optional, defaultValue: OrganizationAuditEventOrders.RECENTLY_OCCURRED })
  order?: string | null;

  @Field(() => [ID], { ...optional, description: 'Ids or uuids of what it was done to.' })
  subject?: string[] | null;

  @Field(() => [AuditSubjectType], optional)
  subjectType?: string[] | null;

  @Field(() => [ID], { ...optional, description: 'Uuids of what it was done to.' })
  subjectUUID?: string[] | null;

  @Field(() => [AuditEventType], optional)
  type?: string[] | null;
}
