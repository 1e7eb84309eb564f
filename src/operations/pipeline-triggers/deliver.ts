import { sql } from 'kysely';
import { z } from 'zod';
import { type DeliveryProof, provesSecret } from '../../auth/delivery-proof.js';
import { hashToken } from '../../auth/secrets.js';
import type { Context } from '../../context.js';
import { byteLength, limits } from '../../domain/limits.js';
import { forbidden, notFound, Problem } from '../../domain/problem.js';
import type { JsonObject } from '../../domain/steps/step.js';
import type { TriggerKind } from '../../entities/pipeline-trigger.js';
import { insertBuild } from '../builds/insert-build.js';
import { webhookKey } from '../meta-data/value-of.js';
import { defineOperation } from '../operation.js';
import type { BuildSubject } from '../subject.js';
import { openWebhookSecret } from '../webhook-deliveries/webhook-secret.js';
import type { TriggerSubject } from './find-trigger.js';

const input = z.object({
  token: z.string(),
  body: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  payload: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null),
  /** What the body's sender shows, by the kind of trigger that looks at it. */
  proofs: z.custom<Partial<Record<TriggerKind, DeliveryProof>>>((value) => typeof value === 'object'),
});

/**
 * Makes the build that a trigger is for, whatever is posted (rest-facts 6.4): fixed branch, commit, message and
 * environment, the payload as meta-data. What is signed must be signed right; 300 an hour in an organization.
 */
export const deliverToTrigger = defineOperation({
  name: 'pipeline-trigger.deliver',
  summary: 'Makes the build of a pipeline trigger.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: (context, { token }) => findByToken(context, token),
  run: async (context, { body, payload, proofs }, { trigger, ...subject }): Promise<BuildSubject> => {
    if (!trigger.enabled) throw forbidden('Pipeline trigger is disabled');
    if (trigger.secret !== null && !provesSecret(proofs[trigger.kind] ?? null, openWebhookSecret(context, trigger.secret), body)) {
      throw new Problem('unauthenticated', 'The body is not signed with the secret of this trigger');
    }
    await countUse(context, trigger.organizationId);
    const kept = JSON.stringify(payload);
    const build = await insertBuild(context, subject, {
      commit: trigger.commit,
      branch: trigger.branch,
      message: trigger.message,
      author: null,
      env: trigger.env,
      metaData: byteLength(kept) <= limits.metaDataValueBytes ? { [webhookKey]: kept } : {},
      cleanCheckout: false,
      // A trigger always makes a build of the branch it was made for.
      ignorePipelineBranchFilters: true,
      pullRequest: null,
      source: 'webhook',
      creatorId: trigger.createdById,
    });
    return { ...subject, build };
  },
});

async function findByToken(context: Context, token: string): Promise<TriggerSubject | null> {
  if (!/^bktr_[0-9a-f]{40}$/.test(token)) throw new Problem('malformed', 'Invalid pipeline trigger token');
  const trigger = await context.db.selectFrom('pipeline_triggers').selectAll().where('tokenHash', '=', hashToken(token)).executeTakeFirst();
  const pipeline = trigger && (await context.load.pipeline.load(trigger.pipelineId));
  const organization = pipeline && (await context.load.organization.load(pipeline.organizationId));
  if (!trigger || !pipeline || !organization) throw notFound('Pipeline trigger not found');
  return { organization, pipeline, level: 'manage_build_and_read', trigger };
}

/** Counts a use in the hour it falls into; one row an organization, so that the limit holds on every replica together. */
async function countUse(context: Context, organizationId: string): Promise<void> {
  const hourMs = 3_600_000;
  const startedAt = new Date(Math.floor(context.now.getTime() / hourMs) * hourMs);
  const { count } = await context.db
    .insertInto('trigger_usage')
    .values({ organizationId, startedAt, count: 1 })
    .onConflict((conflict) => conflict.column('organizationId').doUpdateSet({
      startedAt,
      count: sql<number>`case when trigger_usage.started_at = excluded.started_at then trigger_usage.count + 1 else 1 end`,
    }))
    .returning('count')
    .executeTakeFirstOrThrow();
  if (count <= limits.triggersPerHour) return;
  const retryAfter = Math.ceil((startedAt.getTime() + hourMs - context.now.getTime()) / 1000);
  throw new Problem('rate_limited', 'Too many pipeline triggers were used in this hour', { retryAfter });
}
