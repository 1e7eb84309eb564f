import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { RegistrationActor } from '../../auth/actor.js';
import { hashToken, newToken, tokenPrefixes } from '../../auth/secrets.js';
import type { Context } from '../../context.js';
import { expandAgentName, isNumbered, numberedPrefix, numberName } from '../../domain/agent-name.js';
import { limits } from '../../domain/limits.js';
import { forbidden, Problem, wrongState } from '../../domain/problem.js';
import type { AgentRow, ClusterQueueRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import type { Subject } from '../subject.js';
import { addressIsAllowed } from './allowed-address.js';
import { recordAgentChange } from './record-agent-change.js';

/** What is only shown is cut to size: a refused agent would not start for it. */
const shown = (length: number) => z.union([z.string(), z.number()]).transform((value) => String(value).slice(0, length)).nullish();
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
  priority: z.union([z.string().regex(/^\s*[-+]?\d{1,9}\s*$|^$/, 'must be an integer'), z.number().int()]).nullish(),
  metaData: z.array(tag).max(limits.agentTags).nullish(),
  features: z.array(z.string().max(255)).max(100).nullish(),
});

export interface RegisteredAgent {
  agent: AgentRow;
  /** Shown this once; only its hash is kept. */
  sessionToken: string;
}

interface Registration extends Subject {
  token: RegistrationActor;
}

/** POST register (agent-protocol 4.1): a session for an agent, in the cluster of its token and the queue of its tag. */
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
  run: async (context, asked, { token }): Promise<RegisteredAgent> => {
    await requireAllowedAddress(context, token);
    const tags = asked.metaData ?? [];
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
        name: await chooseName(context, token.organizationId, asked),
        hostname: asked.hostname ?? null,
        ipAddress: context.request.ipAddress ?? null,
        os: asked.os ?? null,
        arch: asked.arch ?? null,
        version: asked.version ?? null,
        build: asked.build ?? null,
        userAgent: context.request.userAgent?.slice(0, 500) ?? null,
        pid: asked.pid ?? null,
        machineId: asked.machineId ?? null,
        features: asked.features ?? [],
        metaData: tags.some(isQueueTag) ? tags : [...tags, `queue=${queue.key}`],
        priority: asked.priority === null || asked.priority === undefined || asked.priority === '' ? null : Number(asked.priority),
        scriptEvalEnabled: asked.scriptEvalEnabled ?? true,
        ignoreInDispatches: asked.ignoreInDispatches ?? false,
        connectionState: 'never_connected',
        createdAt: context.now,
        heartbeatAt: context.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    recordAgentChange(context, agent, 'register', null, null);
    return { agent, sessionToken };
  },
});

const isQueueTag = (text: string) => /^queue\s*=/.test(text.trim());

/** The queue the tags name, else the cluster's default; an agent is in exactly one (agent-protocol 14). */
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
  const queue = cluster?.defaultQueueId ? await queues.where('id', '=', cluster.defaultQueueId).executeTakeFirst() : undefined;
  if (!queue) throw wrongState('The cluster of this agent token has no default queue: name one with the tag queue=<key>');
  return queue;
}

async function requireAllowedAddress(context: Context, token: RegistrationActor): Promise<void> {
  const row = await context.load.agentToken.load(token.agentTokenId);
  if (!addressIsAllowed(row?.allowedIpAddresses ?? null, context.request.ipAddress ?? null)) {
    throw new Problem('forbidden', 'The agent token does not allow agents from this address');
  }
}

/** The name with its placeholders filled in; `%n` under a lock, for agents of one host register at the same time. */
async function chooseName(context: Context, organizationId: string, asked: z.output<typeof input>): Promise<string> {
  const given = asked.name?.trim() || '%hostname-%n';
  const name = expandAgentName(given, { hostname: asked.hostname ?? null, pid: asked.pid ?? null, random: randomBytes(4).toString('hex') });
  if (!isNumbered(name)) return name.slice(0, limits.agentNameLength);
  const prefix = numberedPrefix(name);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`agent name ${organizationId} ${prefix}`}, 0))`.execute(context.db);
  const taken = await context.db
    .selectFrom('agents')
    .select('name')
    .where('organizationId', '=', organizationId)
    .where('connectionState', 'in', ['never_connected', 'connected', 'stopping', 'lost'])
    .where('sessionTokenHash', 'is not', null)
    .where(sql<boolean>`starts_with(name, ${prefix}::text)`)
    .execute();
  return numberName(name, new Set(taken.map((row) => row.name))).slice(0, limits.agentNameLength);
}
