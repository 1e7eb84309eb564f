import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import type { NotifyOutcome } from '../../domain/integrations/notify-outcome.js';
import {
  isBuildMoment,
  type NotifyTarget,
  notifyTargets,
  stepKinds,
} from '../../domain/integrations/notify-entries.js';
import type { ChannelName } from '../../domain/integrations/service-providers.js';
import { limits } from '../../domain/limits/limits.js';
import { checkCondition, type ConditionFacts, evaluateCondition } from '../../domain/pipelines/conditions/condition.js';
import { namedValues } from '../../domain/pipelines/conditions/named-values.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import type { BuildRow, NewRow, NotificationServiceRow } from '../../entities/database.js';
import { mailOfCreator } from './mail-of-creator.js';
import { notificationFacts } from './notification-facts.js';
import { roomsOf } from './slack-rooms.js';
import type { NotifiableEvent, Receiver, StepOfEvent, SubscribedServices } from './subscribed-services.js';

const longestDetail = 500;
const longestCondition = 1000;

interface Notified {
  receivers: Receiver[];
  outcomes: NewRow<'build_notifications'>[];
}

/**
 * Looks at every entry of `notify` that is about this event: of the build, or of the step whose event it is. Gives the
 * receivers of those that apply, and a row for each entry, also for those that do not, which says why.
 */
export async function notifyReceivers(
  context: Context,
  notifiableEvent: NotifiableEvent,
  services: SubscribedServices,
): Promise<Notified> {
  const { build, job, step } = notifiableEvent;
  if (!build || job) return { receivers: [], outcomes: [] };
  const targets = step ? notifyTargets(step.notify) : await targetsOfBuild(context, notifiableEvent, build);
  if (targets.length === 0) return { receivers: [], outcomes: [] };
  const writer = new OutcomeWriter(context, notifiableEvent);
  const facts = targets.some(({ condition }) => condition !== null)
    ? await conditionFacts(context, notifiableEvent)
    : { values: {} };
  const rooms = targets.some(({ kind }) => kind === 'slack') ? await services.chat() : [];
  const room = limits.notifyOutcomes - (await rowsOf(context, build.id));
  for (const target of targets) {
    if (writer.outcomes.length >= room - 1) {
      if (writer.outcomes.length === room - 1)
        writer.unsent(target, 'too_many', `A build sends ${limits.notifyOutcomes} notifications at most.`);
      break;
    }
    decide(writer, context, { target, facts, step, rooms, build: notifiableEvent });
  }
  return writer;
}

/** Entries that are looked at when this happens to a build, and what its creator wants besides. */
async function targetsOfBuild(context: Context, about: NotifiableEvent, build: BuildRow): Promise<NotifyTarget[]> {
  const named = notifyTargets(build.notify).filter(({ kind }) => isBuildMoment(kind, about.event, build.state));
  const own = await mailOfCreator(context, about);
  return own ? [...named, own] : named;
}

interface Decision {
  target: NotifyTarget;
  facts: ConditionFacts;
  step: StepOfEvent | undefined;
  /** Slack services that reach the build's pipeline. */
  rooms: readonly NotificationServiceRow[];
  build: NotifiableEvent;
}

function decide(writer: OutcomeWriter, context: Context, { target, facts, step, rooms, build: about }: Decision): void {
  const { kind, problem, condition, value } = target;
  if (kind !== null && step && !stepKinds.has(kind))
    return writer.unsent(target, 'invalid', `A step has no ${kind} in notify: only the build has.`);
  if (kind === null || problem !== null) return writer.unsent(target, 'invalid', problem);
  const why = condition === null ? null : falseBecause(condition, facts, Boolean(step));
  if (why !== null) return writer.unsent(target, 'condition_false', why);
  if (kind === 'email' && !context.services.mail)
    return writer.unsent(target, 'no_mail', 'Not sent: no mail is configured on this server (SMTP_URL, MAIL_FROM).');
  if (kind === 'slack') return chat(writer, target, { rooms, about });
  if (kind === 'webhook') return writer.queue(target, { channel: 'webhook', url: value, receiver: value, target: {} });
  if (kind === 'email')
    return writer.queue(target, {
      channel: 'email',
      url: `mailto:${encodeURIComponent(value)}`,
      receiver: `mailto:${value.toLowerCase()}`,
      target: { address: value },
    });
  const receiver = `${kind}:${createHash('sha256').update(value).digest('hex').slice(0, 32)}`;
  const named: JsonObject = kind === 'basecamp_campfire' ? { url: value } : { key: value };
  return writer.queue(target, { channel: kind, url: `${kind}:`, receiver, target: named });
}

/** One delivery to each workspace, or to each incoming webhook, that has the channel. */
function chat(
  writer: OutcomeWriter,
  target: NotifyTarget,
  { rooms, about }: { rooms: readonly NotificationServiceRow[]; about: NotifiableEvent },
): void {
  const matching = roomsOf(rooms, target.value, about);
  if (matching.length === 0)
    return writer.unsent(
      target,
      'no_channel',
      `No such channel: no enabled Slack service of the organization reaches ${target.shown} from this build.`,
    );
  for (const { service, channel } of matching)
    writer.queue(target, {
      channel: service.provider as ChannelName,
      serviceId: service.id,
      url: `slack:${encodeURIComponent(channel)}`,
      receiver: `${service.id} ${channel}`,
      target: { channel, ...(target.message === null ? {} : { message: target.message }) },
    });
}

/** Why a condition does not hold, with the values that it names; null if it does. */
function falseBecause(condition: string, facts: ConditionFacts, ofStep: boolean): string | null {
  const place = ofStep ? 'step_notification' : 'build_notification';
  const problem = checkCondition(condition, place);
  if (problem) return `The condition cannot be evaluated: ${problem.message}`;
  const result = evaluateCondition(condition, facts, place);
  if (result.ok && result.value) return null;
  const values = namedValues(condition, facts);
  return values.length === 0 ? 'The condition is false.' : `The condition is false: ${values.join(', ')}`;
}

/** Variables of the build and, for an event of a step, those of the step in place of the build's state. */
async function conditionFacts(context: Context, { build, step }: NotifiableEvent): Promise<ConditionFacts> {
  if (!build) return { values: {} };
  const facts = await notificationFacts(context, build);
  if (!step) return facts;
  const { 'build.state': _state, ...values } = facts.values;
  return {
    ...facts,
    values: {
      ...values,
      'step.id': step.id,
      'step.key': step.key,
      'step.type': step.type,
      'step.label': step.label,
      'step.state': step.state,
      'step.outcome': step.outcome,
    },
  };
}

async function rowsOf({ db }: Context, buildId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from build_notifications where build_id = ${buildId}`.execute(db);
  return rows[0]?.count ?? 0;
}

class OutcomeWriter implements Notified {
  readonly receivers: Receiver[] = [];
  readonly outcomes: NewRow<'build_notifications'>[] = [];
  private readonly places = new Set<string>();

  constructor(
    private readonly context: Context,
    private readonly about: NotifiableEvent,
  ) {}

  unsent(target: NotifyTarget, outcome: NotifyOutcome, detail: string | null): void {
    this.note(target, outcome, detail);
  }

  /** Queues a delivery; two entries of webhooks with one URL are one, and so is mail that an entry sends too. */
  queue(target: NotifyTarget, receiver: Omit<Receiver, 'serviceId'> & { serviceId?: string }): void {
    const place = `${receiver.channel} ${receiver.receiver}`;
    if (target.once && this.places.has(place)) return;
    this.places.add(place);
    const buildNotificationId = this.note(target, 'pending', null);
    this.receivers.push({ serviceId: null, ...receiver, buildNotificationId });
  }

  private note(target: NotifyTarget, outcome: NotifyOutcome, detail: string | null): string {
    const { context, about } = this;
    const id = context.newId();
    this.outcomes.push({
      id,
      organizationId: about.organizationId,
      pipelineId: about.build?.pipelineId ?? '',
      buildId: about.build?.id ?? '',
      stepId: about.step?.id ?? null,
      channel: target.word,
      target: target.shown,
      condition: target.condition?.slice(0, longestCondition) ?? null,
      event: about.event,
      outcome,
      detail: detail?.slice(0, longestDetail) ?? null,
      createdAt: context.now,
      updatedAt: context.now,
    });
    return id;
  }
}
