import { z } from 'zod';
import { sql } from 'kysely';
import type { RegistrationActor } from '../../../auth/actor.js';
import type { Context } from '../../../request/context.js';
import { stackLostMs, stackTypes } from '../../../domain/agents/stack.js';
import { limits } from '../../../domain/limits/limits.js';
import { forbidden } from '../../../domain/problem.js';
import type { StackRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';
import { callingToken, findQueueOfStack } from '../../../resources/agents/stacks/find-stack.js';

const input = z.object({
  key: z
    .string()
    .max(limits.stackKeyLength)
    .regex(/^[\w-]+$/, 'may have letters, digits, "_" and "-" only'),
  type: z.enum(stackTypes, `must be one of ${stackTypes.join(', ')}`),
  queueKey: z.string().max(limits.nameLength),
  metadata: z
    .record(
      z.string().max(limits.stackMetadataKeyLength),
      z.string('must be text').max(limits.stackMetadataValueLength),
    )
    .refine(
      (entries) => Object.keys(entries).length <= limits.stackMetadataEntries,
      `may have ${limits.stackMetadataEntries} entries at most`,
    ),
});

export interface RegisteredStack {
  stack: StackRow;
  queueKey: string;
  /** False where the key had been registered before. */
  created: boolean;
}

interface Registration extends Subject {
  token: RegistrationActor;
}

/**
 * POST stacks/register: creates a stack in the cluster of its registration token, or updates the one of that key.
 * Throws `forbidden` where the organization has as many connected stacks as it may.
 */
export const registerStack = defineOperation({
  name: 'stack.register',
  summary: 'Registers a stack.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: async (context): Promise<Registration> => ({ token: await callingToken(context) }),
  run: async (context, { key, type, queueKey, metadata }, { token }): Promise<RegisteredStack> => {
    const queue = await findQueueOfStack(context, token, queueKey);
    // Registrations of an organization take turns, so that they cannot pass its limit together.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`stacks ${token.organizationId}`}, 0))`.execute(
      context.db,
    );
    const known = await context.db
      .selectFrom('stacks')
      .selectAll()
      .where('clusterId', '=', token.clusterId)
      .where('key', '=', key)
      .executeTakeFirst();
    const now = { type, metadata, clusterQueueId: queue.id, lastConnectedAt: context.now, disconnectedAt: null };
    await requireRoom(context, token.organizationId, known?.id ?? null);
    const stack = known
      ? await context.db
          .updateTable('stacks')
          .set(now)
          .where('id', '=', known.id)
          .returningAll()
          .executeTakeFirstOrThrow()
      : await context.db
          .insertInto('stacks')
          .values({
            id: context.newId(),
            organizationId: token.organizationId,
            clusterId: token.clusterId,
            key,
            ...now,
            createdAt: context.now,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
    return { stack, queueKey: queue.key, created: !known };
  },
});

/** Throws where the others that are connected leave no room, and forgets the oldest of those that are not. */
async function requireRoom({ db, now }: Context, organizationId: string, own: string | null): Promise<void> {
  const heardSince = new Date(now.getTime() - stackLostMs);
  const stacks = await db
    .selectFrom('stacks')
    .select(['id', 'disconnectedAt', 'lastConnectedAt'])
    .where('organizationId', '=', organizationId)
    .orderBy('lastConnectedAt', 'desc')
    .execute();
  const others = stacks.filter(({ id }) => id !== own);
  const connected = others.filter((stack) => stack.disconnectedAt === null && stack.lastConnectedAt >= heardSince);
  if (connected.length >= limits.stacksPerOrganization)
    throw forbidden(`The organization has ${connected.length} connected stacks, as many as it may`);
  const rest = others.filter((stack) => !connected.includes(stack)).slice(limits.stacksRemembered);
  if (rest.length > 0)
    await db
      .deleteFrom('stacks')
      .where(
        'id',
        'in',
        rest.map(({ id }) => id),
      )
      .execute();
}
