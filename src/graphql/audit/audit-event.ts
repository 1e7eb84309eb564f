import { Arg, Args, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { auditNoun, auditSubjectType } from '../../domain/audit/audit-type.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { AuditEventRow, OrganizationRow } from '../../entities/database.js';
import { factOf, wordOf } from '../../operations/audit-events/find-audit-event.js';
import { getAuditEvent } from '../../operations/audit-events/get.js';
import { listAuditEvents } from '../../operations/audit-events/list.js';
import { stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { AuditActorType, AuditEventType, AuditSubjectType } from '../enums.js';
import { uuidOf } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { DateTime } from '../scalars/date-time.js';
import { JsonText } from '../scalars/json.js';
import { OrganizationAuditEventsArguments } from './audit-arguments.js';
import { AuditContext, contextOf } from './audit-context.js';
import { AuditActorNode, auditedThing, AuditSubjectNode, nodeKindOf } from './audit-node.js';

/** Who or what an audit event names; `noun` is ours. */
interface Party {
  noun: string;
  uuid: string;
  name: string | null;
}

@ObjectType({ description: 'Who made a privileged change.' })
export class AuditActor {
  @Field(() => ID)
  uuid!: string;
}

@Resolver(() => AuditActor)
export class AuditActorResolver {
  @FieldResolver(() => ID)
  id(@Root() { noun, uuid }: Party): string {
    return encodeNodeId(nodeKindOf(noun) ?? 'User', uuid);
  }

  @FieldResolver(() => String, optional)
  async name(@Root() { noun, uuid }: Party, @Ctx() context: GraphqlContext): Promise<string | null> {
    const actor = await (noun === 'user' ? context.load.user : context.load.agent).load(uuid);
    return actor?.name ?? null;
  }

  @FieldResolver(() => AuditActorNode, { ...optional, description: 'The actor as it is now; null once it is gone.' })
  node(@Root() { noun, uuid }: Party, @Ctx() context: GraphqlContext) {
    return auditedThing(context, noun, uuid);
  }

  @FieldResolver(() => AuditActorType, optional)
  type(@Root() { noun }: Party): string {
    return noun;
  }
}

@ObjectType({ description: 'What a privileged change was made to.' })
export class AuditSubject {
  @Field(() => String, { ...optional, description: 'What it was called then.' })
  name!: string | null;

  @Field(() => ID)
  uuid!: string;
}

@Resolver(() => AuditSubject)
export class AuditSubjectResolver {
  @FieldResolver(() => ID)
  id(@Root() { noun, uuid }: Party): string {
    const kind = nodeKindOf(noun);
    return kind ? encodeNodeId(kind, uuid) : uuid;
  }

  @FieldResolver(() => AuditSubjectNode, { ...optional, description: 'The thing as it is now; null once it is gone.' })
  node(@Root() { noun, uuid }: Party, @Ctx() context: GraphqlContext) {
    return auditedThing(context, noun, uuid);
  }

  @FieldResolver(() => AuditSubjectType, optional)
  type(@Root() { noun }: Party): string | null {
    return auditSubjectType({ subject: noun });
  }
}

@ObjectType({ implements: Node, description: 'A privileged change that was carried out.' })
export class AuditEvent {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => DateTime, { name: 'occurredAt' })
  createdAt!: Date;

  @Field(() => String, { description: 'The operation that made the change, such as `pipeline.archive`.' })
  operation!: string;
}

export const { Connection: OrganizationAuditEventConnection } = connectionOf('OrganizationAuditEvent', () => AuditEvent);

@Resolver(() => AuditEvent)
export class AuditEventResolver {
  @Query(() => AuditEvent, { ...optional, description: 'A privileged change by its uuid, for administrators.' })
  async auditEvent(@Ctx() context: GraphqlContext, @Arg('uuid', () => ID) uuid: string): Promise<AuditEventRow | null> {
    return (await context.find(getAuditEvent, { auditEvent: { id: uuidOf(uuid, ['AuditEvent']) }, worded: true }))?.auditEvent ?? null;
  }

  @FieldResolver(() => AuditActor, { ...optional, description: 'Null for what the service did itself.' })
  actor(@Root() { actorType, actorId }: AuditEventRow): Party | null {
    return actorId === null || actorType === 'system' ? null : { noun: actorType, uuid: actorId, name: null };
  }

  @FieldResolver(() => AuditContext, optional)
  context(@Root() event: AuditEventRow) {
    return contextOf(event);
  }

  @FieldResolver(() => JsonText, optional)
  data(@Root() event: AuditEventRow) {
    return event.data ?? {};
  }

  @FieldResolver(() => AuditSubject, optional)
  subject(@Root() event: AuditEventRow): Party | null {
    const noun = auditNoun(factOf(event));
    return noun === null || event.subjectId === null ? null : { noun, uuid: event.subjectId, name: event.subjectName };
  }

  @FieldResolver(() => AuditEventType)
  type(@Root() event: AuditEventRow): string | null {
    return wordOf(event);
  }
}

@Resolver(() => Organization)
export class OrganizationAuditEventsResolver {
  @FieldResolver(() => OrganizationAuditEventConnection, { ...optional, description: 'Privileged changes, for administrators, newest first.' })
  async auditEvents(@Root() organization: OrganizationRow, @Ctx() context: GraphqlContext, @Args(() => OrganizationAuditEventsArguments) given: OrganizationAuditEventsArguments) {
    const input = {
      organization: { id: organization.id },
      worded: true,
      types: given.type,
      actors: given.actor,
      actorTypes: given.actorType,
      subjects: given.subject,
      subjectUuids: given.subjectUUID,
      subjectTypes: given.subjectType,
      occurredFrom: given.occurredAtFrom,
      occurredTo: given.occurredAtTo,
      paging: stretchOf(given),
    };
    return connectionValue(await context.perform(listAuditEvents, input));
  }
}
