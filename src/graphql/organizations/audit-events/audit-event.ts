import { Arg, Args, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { auditNoun, auditSubjectType } from '../../../domain/organizations/audit/audit-type.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { AuditEventRow, OrganizationRow } from '../../../entities/database.js';
import { factOf, wordOf } from '../../../resources/organizations/audit-events/find-audit-event.js';
import { getAuditEvent } from '../../../operations/organizations/audit-events/get.js';
import { listAuditEvents } from '../../../operations/organizations/audit-events/list.js';
import { stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { AuditActorType, AuditEventType, AuditSubjectType } from '../../enums.js';
import { uuidOf } from '../../nodes/ids.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { Organization } from '../organization.js';
import { DateTime } from '../../scalars/date-time.js';
import { JsonText } from '../../scalars/json.js';
import { OrganizationAuditEventsArguments } from './audit-arguments.js';
import { AuditContext, contextOf } from './audit-context.js';
import { AuditActorNode, auditedObject, AuditSubjectNode, nodeKindOf } from './audit-node.js';
import { ReadBy } from '../../execution/on-the-way.js';

/** Actor or subject of an audit event; `noun` is the word of the audit row for its kind. */
interface Party {
  noun: string;
  uuid: string;
  name: string | null;
}

@ObjectType({ description: 'Actor of an audited change.' })
export class AuditActor {
  @Field(() => ID, { description: 'UUID of the actor.' })
  uuid!: string;
}

@Resolver(() => AuditActor)
export class AuditActorResolver {
  @FieldResolver(() => ID, { description: 'GraphQL ID of the actor.' })
  id(@Root() { noun, uuid }: Party): string {
    return encodeNodeId(nodeKindOf(noun) ?? 'User', uuid);
  }

  @FieldResolver(() => String, {
    ...optional,
    description: 'Current name of the actor; null if the actor no longer exists.',
  })
  async name(@Root() { noun, uuid }: Party, @Ctx() context: GraphqlContext): Promise<string | null> {
    const actor = await (noun === 'user' ? context.load.user : context.load.agent).load(uuid);
    return actor?.name ?? null;
  }

  @FieldResolver(() => AuditActorNode, {
    ...optional,
    description: 'The actor in its current state; null if it no longer exists or is hidden.',
  })
  node(@Root() { noun, uuid }: Party, @Ctx() context: GraphqlContext) {
    return auditedObject(context, noun, uuid);
  }

  @FieldResolver(() => AuditActorType, { ...optional, description: 'Type of the actor.' })
  type(@Root() { noun }: Party): string {
    return noun;
  }
}

@ObjectType({ description: 'Subject of an audited change.' })
export class AuditSubject {
  @Field(() => String, {
    ...optional,
    description: 'Name of the subject at the time of the change; null if it has no name.',
  })
  name!: string | null;

  @Field(() => ID, { description: 'UUID of the subject.' })
  uuid!: string;
}

@Resolver(() => AuditSubject)
export class AuditSubjectResolver {
  @FieldResolver(() => ID, { description: 'GraphQL ID of the subject; its UUID for types without GraphQL IDs.' })
  id(@Root() { noun, uuid }: Party): string {
    const kind = nodeKindOf(noun);
    return kind ? encodeNodeId(kind, uuid) : uuid;
  }

  @FieldResolver(() => AuditSubjectNode, {
    ...optional,
    description: 'The subject in its current state; null if it no longer exists, is hidden or has no GraphQL type.',
  })
  node(@Root() { noun, uuid }: Party, @Ctx() context: GraphqlContext) {
    return auditedObject(context, noun, uuid);
  }

  @FieldResolver(() => AuditSubjectType, { ...optional, description: 'Type of the subject.' })
  type(@Root() { noun }: Party): string | null {
    return auditSubjectType({ subject: noun });
  }
}

@ObjectType({ implements: Node, description: 'An audited change to the organization.' })
export class AuditEvent {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the event.' })
  id!: string;

  @Field(() => DateTime, { name: 'occurredAt', description: 'Time of the change.' })
  createdAt!: Date;

  @Field(() => String, { description: 'Operation that made the change, such as `pipeline.archive`.' })
  operation!: string;
}

export const { Connection: OrganizationAuditEventConnection } = connectionOf(
  'OrganizationAuditEvent',
  () => AuditEvent,
);

@Resolver(() => AuditEvent)
export class AuditEventResolver {
  @Query(() => AuditEvent, {
    ...optional,
    description: 'An audit event by its UUID, for administrators; null if absent or hidden.',
  })
  async auditEvent(
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID of the audit event.' }) uuid: string,
  ): Promise<AuditEventRow | null> {
    return (
      (await context.find(getAuditEvent, { auditEvent: { id: uuidOf(uuid, ['AuditEvent']) }, worded: true }))
        ?.auditEvent ?? null
    );
  }

  @FieldResolver(() => AuditActor, { ...optional, description: 'Actor of the change; null if the system made it.' })
  actor(@Root() { actorType, actorId }: AuditEventRow): Party | null {
    return actorId === null || actorType === 'system' ? null : { noun: actorType, uuid: actorId, name: null };
  }

  @FieldResolver(() => AuditContext, {
    ...optional,
    description: 'Request that made the change; null if no API request did.',
  })
  context(@Root() event: AuditEventRow) {
    return contextOf(event);
  }

  @FieldResolver(() => JsonText, {
    ...optional,
    description: 'Details of the change as JSON; an empty object without any.',
  })
  data(@Root() event: AuditEventRow) {
    return event.data ?? {};
  }

  @FieldResolver(() => AuditSubject, { ...optional, description: 'Subject of the change; null without one.' })
  subject(@Root() event: AuditEventRow): Party | null {
    const noun = auditNoun(factOf(event));
    return noun === null || event.subjectId === null ? null : { noun, uuid: event.subjectId, name: event.subjectName };
  }

  @FieldResolver(() => AuditEventType, { description: 'Type of the change.' })
  type(@Root() event: AuditEventRow): string | null {
    return wordOf(event);
  }
}

@Resolver(() => Organization)
export class OrganizationAuditEventsResolver {
  @ReadBy(listAuditEvents)
  @FieldResolver(() => OrganizationAuditEventConnection, {
    ...optional,
    description: 'Audit events, newest first, for administrators.',
  })
  async auditEvents(
    @Root() organization: OrganizationRow,
    @Ctx() context: GraphqlContext,
    @Args(() => OrganizationAuditEventsArguments) args: OrganizationAuditEventsArguments,
  ) {
    const input = {
      worded: true,
      types: args.type,
      actors: args.actor,
      actorTypes: args.actorType,
      subjects: args.subject,
      subjectUuids: args.subjectUUID,
      subjectTypes: args.subjectType,
      occurredFrom: args.occurredAtFrom,
      occurredTo: args.occurredAtTo,
      paging: stretchOf(args),
    };
    return connectionValue(
      await context.performInBatch(listAuditEvents, { organization: { id: organization.id } }, input),
    );
  }
}
