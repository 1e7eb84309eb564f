import { liveAgentStates, lostNameReservedMs } from '../../domain/agents/agent-state.js';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { RegistrationActor } from '../../auth/actor.js';
import { hashToken, newToken, tokenPrefixes } from '../../auth/secrets.js';
import type { Context } from '../../request/context.js';
import { expandAgentName, isNumbered, numberedPrefix, numberName } from '../../domain/agents/agent-name.js';
import { largestInteger, smallestInteger } from '../../domain/integer-column.js';
import { limits } from '../../domain/limits/limits.js';
import { forbidden, wrongState } from '../../domain/problem.js';
import type { AgentRow, ClusterQueueRow } from '../../entities/database.js';
import { defineOperation } from '../../core/operation.js';
import type { Subject } from '../../core/subject.js';
import { recordAddressRefusal, requireAllowedAddress } from '../../resources/agents/allowed-address.js';
import { heardAt, noteAgent } from '../../engine/state/agents.js';

/** Text that is only displayed is truncated: an agent whose registration is refused does not start. */
const shown = (length: number) =>
  z
    .union([z.string(), z.number()])
    .transform((value) => String(value).slice(0, length))
    .nullish();
const tag = z.string().max(limits.agentTagLength);

const input = z.object({
  name: z.string().max(limits.agentNameLength).nullish(),
  hostname: shown(limits.agentNameLength),
  os: shown(4096),
  arch: shown(100),
  version: shown(100),
  build: shown(100),
  pid: shown(100),
  machineId: shown(255),
  scriptEvalEnabled: z.boolean().nullish(),
  ignoreInDispatches: z.boolean().nullish(),
  /** A decimal integer as text; may be negative. */
  priority: z
    .union([
      z.string().regex(/^\s*[-+]?\d{1,9}\s*$|^$/, 'must be an integer'),
      z.number().int().min(smallestInteger).max(largestInteger),
    ])
    .nullish(),
  metaData: z.array(tag).max(limits.agentTags).nullish(),
  features: z.array(z.string().max(255)).max(100).nullish(),
});

export interface RegisteredAgent {
  agent: AgentRow;
  /** The session token. Returned by this operation only; the database stores its hash. */
  sessionToken: string;
}

interface Registration extends Subject {
  token: RegistrationActor;
}

/**
 * POST register: creates an agent with a session, in the cluster of its registration token and the queue of its tags.
 */
export const registerAgent = defineOperation({
  name: 'agent.register',
  summary: 'Registers an agent.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: async (context): Promise<Registration> => {
    if (context.actor.kind !== 'registration') throw forbidden('This needs an agent registration token');
    return { token: context.actor };
  },
  run: async (context, request, { token }): Promise<RegisteredAgent> => {
    await requireAllowedAddress(context, token);
    const tags = request.metaData ?? [];
    const queue = await queueOf(context, token.clusterId, tags);
    const sessionToken = newToken(tokenPrefixes.agentSession);
    const agent = await context.db
      .insertInto('agents')
      .values({
        id: context.newId(),
        organizationId: token.organizationId,
        clusterId: token.clusterId,
        clusterQueueId: queue.id,
        agentTokenId: token.agentTokenId,
        sessionTokenHash: hashToken(sessionToken),
        name: await chooseName(context, token.organizationId, request),
        hostname: request.hostname ?? null,
        ipAddress: context.request.ipAddress ?? null,
        os: request.os ?? null,
        arch: request.arch ?? null,
        version: request.version ?? null,
        build: request.build ?? null,
        userAgent: context.request.userAgent?.slice(0, 500) ?? null,
        pid: request.pid ?? null,
        machineId: request.machineId ?? null,
        features: request.features ?? [],
        metaData: tags.some(isQueueTag) ? tags : [...tags, `queue=${queue.key}`],
        priority:
          request.priority === null || request.priority === undefined || request.priority === ''
            ? null
            : Number(request.priority),
        scriptEvalEnabled: request.scriptEvalEnabled ?? true,
        ignoreInDispatches: request.ignoreInDispatches ?? false,
        connectionState: 'never_connected',
        createdAt: context.now,
        ...heardAt(context.now),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    noteAgent(context, agent, 'register', null);
    return { agent, sessionToken };
  },
  afterRefusal: recordAddressRefusal,
});

const isQueueTag = (text: string) => /^queue\s*=/.test(text.trim());

/** The queue that the tags name, else the cluster's default; an agent belongs to exactly one queue. */
async function queueOf(context: Context, clusterId: string, tags: readonly string[]): Promise<ClusterQueueRow> {
  const named = [...new Set(tags.filter(isQueueTag).map((text) => text.slice(text.indexOf('=') + 1).trim()))];
  if (named.length > 1) throw wrongState(`An agent can be in one queue only; its tags name ${named.join(', ')}`);
  const queues = context.db.selectFrom('cluster_queues').selectAll().where('clusterId', '=', clusterId);
  const [key] = named;
  if (key !== undefined) {
    const queue = await queues.where('key', '=', key).executeTakeFirst();
    if (!queue) throw wrongState(`The queue "${key}" does not exist in the cluster of this agent token`);
    return queue;
  }
  const cluster = await context.load.cluster.load(clusterId);
  const queue = cluster?.defaultQueueId
    ? await queues.where('id', '=', cluster.defaultQueueId).executeTakeFirst()
    : undefined;
  if (!queue)
    throw wrongState('The cluster of this agent token has no default queue: name one with the tag queue=<key>');
  return queue;
}

/**
 * Fills in the placeholders of a name. `%n` is drawn under a lock because agents of one host register at the same time.
 */
async function chooseName(context: Context, organizationId: string, request: z.output<typeof input>): Promise<string> {
  const template = request.name?.trim() || '%hostname-%n';
  const name = expandAgentName(template, {
    hostname: request.hostname ?? null,
    pid: request.pid ?? null,
    random: randomBytes(4).toString('hex'),
  });
  if (!isNumbered(name)) return name.slice(0, limits.agentNameLength);
  const prefix = numberedPrefix(name);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agent name ${organizationId} ${prefix}`}, 0))`.execute(
    context.db,
  );
  const names = await context.db
    .selectFrom('agents')
    .select('name')
    .where('organizationId', '=', organizationId)
    .where((where) =>
      where.or([
        where('connectionState', 'in', liveAgentStates),
        where.and([
          where('connectionState', '=', 'lost'),
          where('lostAt', '>', new Date(context.now.getTime() - lostNameReservedMs)),
        ]),
      ]),
    )
    .where('sessionTokenHash', 'is not', null)
    .where(sql<boolean>`starts_with(name, ${prefix}::text)`)
    .execute();
  return numberName(name, new Set(names.map((row) => row.name))).slice(0, limits.agentNameLength);
}
