import { idFromEither } from '../../domain/node-id.js';
import { listAgents } from '../../operations/agents/list.js';
import { getBuild } from '../../operations/builds/get.js';
import { getJob } from '../../operations/jobs/get.js';
import { readJobLog } from '../../operations/jobs/read-log.js';
import { endable } from '../../operations/live/follow.js';
import { type EventMessage, followEvents } from '../../operations/live/follow-events.js';
import { followLog, type LogMessage } from '../../operations/live/follow-log.js';
import type { LiveEvent, Topic } from '../../operations/live/read-events.js';
import { getOrganization } from '../../operations/organizations/get.js';
import { getPipeline } from '../../operations/pipelines/get.js';
import { pipelineLevels } from '../../operations/pipelines/levels.js';
import { listPipelines } from '../../operations/pipelines/list.js';
import { uuidOf } from '../ids.js';
import { type LiveContext, liveContext } from './live-context.js';

/** What the resolvers of an update get: the message, and the id of the thing that is followed, where it is one. */
export interface UpdateValue extends EventMessage {
  subjectId: string | null;
}

export interface StreamArguments {
  id: string;
  after?: string | null;
}

interface Followed {
  topic: Topic;
  /** The id of the one thing followed. */
  subjectId: string | null;
  /** The read that this stream must stay allowed. */
  allowed(): Promise<unknown>;
  visible?: (events: LiveEvent[]) => Promise<LiveEvent[]>;
}

/** Follows what `find` names, as the caller, who is asked for again while it lasts. */
function stream(given: unknown, after: string | null | undefined, find: (context: LiveContext) => Promise<Followed>): AsyncIterable<UpdateValue> {
  const context = liveContext(given);
  const { services, feed, count, draining } = context.live;
  return endable(async function* (signal) {
    const release = count.take(context.userId);
    try {
      const { topic, subjectId, allowed, visible } = await find(context);
      const check = async () => {
        await context.authenticateAgain();
        await allowed();
      };
      const asked = { services, feed, topic, after: after || null, follower: { check }, ...(visible ? { visible } : {}) };
      for await (const message of followEvents(asked, signal)) {
        context.refresh();
        yield { ...message, subjectId };
      }
    } finally {
      release();
    }
  }, draining);
}

/** A build with its jobs and annotations. */
export function followBuild(given: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(given, after, async (context) => {
    const subjectId = uuidOf(id, ['Build']);
    return { topic: { key: 'buildId', id: subjectId, wants: () => true }, subjectId, allowed: () => context.perform(getBuild, { build: { id: subjectId } }) };
  });
}

export function followAnnotations(given: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(given, after, async (context) => {
    const subjectId = uuidOf(id, ['Build']);
    const wants = ({ type }: LiveEvent) => type.startsWith('annotation.');
    return { topic: { key: 'buildId', id: subjectId, wants }, subjectId, allowed: () => context.perform(getBuild, { build: { id: subjectId } }) };
  });
}

export function followJob(given: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(given, after, async (context) => {
    const subjectId = uuidOf(id, ['Job']);
    return { topic: { key: 'jobId', id: subjectId, wants: () => true }, subjectId, allowed: () => context.perform(getJob, { job: { id: subjectId } }) };
  });
}

/** A pipeline and its builds, without what happens inside them. */
export function followPipeline(given: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(given, after, async (context) => {
    const { pipeline } = await context.perform(getPipeline, { pipeline: { id: uuidOf(id, ['Pipeline']) } });
    const wants = (event: LiveEvent) => event.pipelineId === pipeline.id && ofPipelines(context, event);
    return { topic: { key: 'organizationId', id: pipeline.organizationId, wants }, subjectId: pipeline.id, allowed: () => context.perform(getPipeline, { pipeline: { id: pipeline.id } }) };
  });
}

/** Every pipeline of an organization that the caller may see, with its builds. */
export function followPipelines(given: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(given, after, async (context) => {
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

export function followAgents(given: unknown, { id, after }: StreamArguments): AsyncIterable<UpdateValue> {
  return stream(given, after, async (context) => {
    const organization = await organizationOf(context, id);
    return {
      topic: { key: 'organizationId', id: organization.id, wants: ({ subject }) => subject === 'agent' },
      subjectId: null,
      allowed: () => context.perform(listAgents, { organization: { id: organization.id }, paging: { first: 0 } }),
    };
  });
}

/** The lines of a command job's log. */
export function followJobLog(given: unknown, { id, after }: StreamArguments): AsyncIterable<LogMessage> {
  const context = liveContext(given);
  const { logs, count, draining } = context.live;
  return endable(async function* (signal) {
    const release = count.take(context.userId);
    try {
      const jobId = uuidOf(id, ['Job']);
      const open = async () => {
        await context.authenticateAgain();
        return context.perform(readJobLog, { job: { id: jobId } });
      };
      yield* followLog({ watch: logs, jobId, after: after || null, open }, signal);
    } finally {
      release();
    }
  }, draining);
}

const ofPipelines = (context: LiveContext, { subject }: LiveEvent) => subject === 'pipeline' || (subject === 'build' && context.hasScope('read_builds'));

/** By slug, uuid or node id, as lists are asked for elsewhere. */
function organizationOf(context: LiveContext, name: string) {
  const id = idFromEither(name, ['Organization']);
  return context.perform(getOrganization, { organization: id ? { id } : { slug: name } });
}
