import { onTheWay } from '../../core/operation.js';
import { idFromEither } from '../../domain/node-id.js';
import { listAgents } from '../../operations/agents/list.js';
import { getBuild } from '../../operations/builds/get.js';
import { getJob } from '../../operations/builds/jobs/get.js';
import { readJobLog } from '../../operations/builds/logs/read.js';
import { endable } from '../../event-stream/subscription.js';
import { type EventMessage, subscribeToEvents } from '../../event-stream/subscribe-to-events.js';
import { subscribeToLog, type LogMessage } from '../../event-stream/subscribe-to-log.js';
import type { LiveEvent, Topic } from '../../event-stream/read-events.js';
import { getOrganization } from '../../operations/organizations/get.js';
import { getPipeline } from '../../operations/pipelines/get.js';
import { pipelineLevels } from '../../operations/pipelines/list-access-levels.js';
import { listPipelines } from '../../operations/pipelines/list.js';
import { uuidOf } from '../nodes/ids.js';
import { type SubscriptionContext, subscriptionContext } from './subscription-context.js';

/** Source value of an update's resolvers: the message and, for a subscription to one object, its id. */
export interface UpdateValue extends EventMessage {
  subjectId: string | null;
}

export interface StreamArguments {
  id: string;
  after?: string | null;
}

interface Subject {
  topic: Topic;
  /** Id of the subscribed object; null for the objects of an organization. */
  subjectId: string | null;
  /** Reads the subject; rejects once the caller may no longer see it, which ends the stream. */
  allowed(): Promise<unknown>;
  visible?: (events: LiveEvent[]) => Promise<LiveEvent[]>;
}

/**
 * Subscribes the caller to the subject that `find` returns. Authentication and access are checked again while the
 * stream lasts.
 */
function stream(
  contextValue: unknown,
  after: string | null | undefined,
  find: (context: SubscriptionContext) => Promise<Subject>,
): AsyncIterable<UpdateValue> {
  const context = subscriptionContext(contextValue);
  const { services, feed, count, shared, draining } = context.live;
  return endable(async function* (signal) {
    const release = count.take(context.userId);
    try {
      const { topic, subjectId, allowed, visible } = await find(context);
      const check = async () => {
        await context.authenticateAgain();
        await shared.once(`subject ${context.sameMessages}`, allowed);
      };
      const subscription = {
        services,
        feed,
        topic,
        after: after || null,
        follower: { check },
        ...(visible ? { visible } : {}),
      };
      for await (const message of subscribeToEvents(subscription, signal)) {
        yield { ...message, subjectId };
      }
    } finally {
      release();
    }
  }, draining);
}

/** Subscribes to a build with its jobs and annotations. */
export function subscribeToBuild(contextValue: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(contextValue, after, async (context) => {
    const subjectId = uuidOf(id, ['Build']);
    return {
      topic: { key: 'buildId', id: subjectId, wants: () => true },
      subjectId,
      allowed: () => context.perform(getBuild, { build: { id: subjectId } }),
    };
  });
}

export function subscribeToAnnotations(
  contextValue: unknown,
  { id, after }: StreamArguments,
): AsyncIterable<UpdateValue> {
  return stream(contextValue, after, async (context) => {
    const subjectId = uuidOf(id, ['Build']);
    const wants = ({ type }: LiveEvent) => type.startsWith('annotation.');
    return {
      topic: { key: 'buildId', id: subjectId, wants },
      subjectId,
      allowed: () => context.perform(getBuild, { build: { id: subjectId } }),
    };
  });
}

export function subscribeToJob(contextValue: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(contextValue, after, async (context) => {
    const subjectId = uuidOf(id, ['Job']);
    return {
      topic: { key: 'jobId', id: subjectId, wants: () => true },
      subjectId,
      allowed: () => context.perform(getJob, { job: { id: subjectId } }),
    };
  });
}

/** Subscribes to a pipeline and its builds, without their jobs. */
export function subscribeToPipeline(contextValue: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(contextValue, after, async (context) => {
    const { pipeline } = await context.perform(getPipeline, { pipeline: { id: uuidOf(id, ['Pipeline']) } });
    const wants = (event: LiveEvent) => event.pipelineId === pipeline.id && ofPipelines(context, event);
    return {
      topic: { key: 'organizationId', id: pipeline.organizationId, wants },
      subjectId: pipeline.id,
      allowed: () => context.perform(getPipeline, { pipeline: { id: pipeline.id } }),
    };
  });
}

/** Subscribes to all pipelines of an organization that the caller may see, with their builds. */
export function subscribeToPipelines(
  contextValue: unknown,
  { id, after }: StreamArguments,
): AsyncIterable<UpdateValue> {
  return stream(contextValue, after, async (context) => {
    const organization = await organizationOf(context, id);
    const visible = async (events: LiveEvent[]) => {
      const ids = [...new Set(events.flatMap(({ pipelineId }) => pipelineId ?? []))];
      if (ids.length === 0) return [];
      context.refresh();
      const levels = await context.perform(pipelineLevels, { pipelineIds: ids });
      return events.filter(({ pipelineId }) => pipelineId !== null && levels.get(pipelineId));
    };
    return {
      topic: { key: 'organizationId', id: organization.id, wants: (event) => ofPipelines(context, event) },
      subjectId: null,
      allowed: () => context.perform(listPipelines, { organization: { id: organization.id }, paging: { first: 0 } }),
      visible,
    };
  });
}

export function subscribeToAgents(contextValue: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(contextValue, after, async (context) => {
    const organization = await organizationOf(context, id);
    return {
      topic: { key: 'organizationId', id: organization.id, wants: ({ subject }) => subject === 'agent' },
      subjectId: null,
      allowed: () => context.perform(listAgents, { organization: { id: organization.id }, paging: { first: 0 } }),
    };
  });
}

/** Subscribes to the lines of a command job's log. */
export function subscribeToJobLog(contextValue: unknown, { id, after }: StreamArguments): AsyncIterable<LogMessage> {
  const context = subscriptionContext(contextValue);
  const { logs, count, draining } = context.live;
  return endable(async function* (signal) {
    const release = count.take(context.userId);
    try {
      const jobId = uuidOf(id, ['Job']);
      const open = async () => {
        await context.authenticateAgain();
        return context.perform(readJobLog, { job: { id: jobId } });
      };
      yield* subscribeToLog({ watch: logs, jobId, after: after || null, open }, signal);
    } finally {
      release();
    }
  }, draining);
}

const ofPipelines = (context: SubscriptionContext, { subject }: LiveEvent) =>
  subject === 'pipeline' || (subject === 'build' && context.hasScope('read_builds'));

/** Finds an organization by slug, uuid or node id, on the way to the list that is subscribed to; throws `not_found`. */
function organizationOf(context: SubscriptionContext, name: string) {
  const id = idFromEither(name, ['Organization']);
  return context.perform(onTheWay(getOrganization), { organization: id ? { id } : { slug: name } });
}
