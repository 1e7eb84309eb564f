import { sql } from 'kysely';
import { z } from 'zod';
import { type DeliveryProof, provesSecret } from '../../../auth/delivery-proof.js';
import { hashToken } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { byteLength, limits } from '../../../domain/limits/limits.js';
import { forbidden, notFound, Problem } from '../../../domain/problem.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { TriggerKind } from '../../../domain/pipelines/trigger-kinds.js';
import { insertBuild } from '../../../engine/new-builds/insert-build.js';
import { newBuild } from '../../../engine/new-builds/new-build.js';
import { webhookKey } from '../../../resources/builds/meta-data/value-of.js';
import { defineOperation } from '../../../core/operation.js';
import type { BuildSubject } from '../../../core/subject.js';
import { openWebhookSecret } from '../../../resources/integrations/webhook-deliveries/webhook-secret.js';
import type { TriggerSubject } from '../../../resources/pipelines/triggers/find-trigger.js';

const input = z.object({
  token: z.string(),
  body: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  payload: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null),
  /** Proof of the sender, by the kind of trigger that verifies it. */
  proofs: z.custom<Partial<Record<TriggerKind, DeliveryProof>>>((value) => typeof value === 'object'),
});

/**
 * Starts the build of a trigger, with the trigger's branch, commit, message and environment and the posted payload as
 * meta-data. A trigger with a secret requires a valid signature. Throws `rate_limited` above 300 uses an hour in an
 * organization.
 */
export const deliverToTrigger = defineOperation({
  name: 'pipeline-trigger.deliver',
  summary: 'Starts the build of a pipeline trigger.',
  kind: 'command',
  scope: null,
  access: 'internal',
  audited: false,
  input,
  subject: (context, { token }) => findTriggerByToken(context, token),
  run: async (context, { body, payload, proofs }, { trigger, ...subject }): Promise<BuildSubject> => {
    if (!trigger.enabled) throw forbidden('Pipeline trigger is disabled');
    if (
      trigger.secret !== null &&
      !provesSecret(proofs[trigger.kind] ?? null, openWebhookSecret(context, trigger.secret), body)
    ) {
      throw new Problem('unauthenticated', 'The body is not signed with the secret of this trigger');
    }
    await countUse(context, trigger.organizationId);
    const payloadText = JSON.stringify(payload);
    const build = await insertBuild(
      context,
      subject,
      newBuild({
        commit: trigger.commit,
        branch: trigger.branch,
        message: trigger.message,
        env: trigger.env,
        metaData: byteLength(payloadText) <= limits.metaDataValueBytes ? { [webhookKey]: payloadText } : {},
        // A trigger always makes a build of the branch it was made for.
        ignorePipelineBranchFilters: true,
        source: 'webhook',
        creatorId: trigger.createdById,
      }),
    );
    return { ...subject, build };
  },
});

/**
 * Returns the trigger of a token; throws `malformed` for a text that cannot be a token, `not_found` for an unknown one.
 */
export async function findTriggerByToken(context: Context, token: string): Promise<TriggerSubject> {
  if (!/^bktr_[0-9a-f]{40}$/.test(token)) throw new Problem('malformed', 'Invalid pipeline trigger token');
  const trigger = await context.db
    .selectFrom('pipeline_triggers')
    .selectAll()
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst();
  const pipeline = trigger && (await context.uncheckedRows.pipeline.load(trigger.pipelineId));
  const organization = pipeline && (await context.load.organization.load(pipeline.organizationId));
  if (!trigger || !pipeline || !organization) throw notFound('Pipeline trigger not found');
  return { organization, pipeline, level: 'manage_build_and_read', trigger };
}

/** Counts a use in its hour. One row per organization, so that the limit holds across all replicas. */
async function countUse(context: Context, organizationId: string): Promise<void> {
  const hourMs = 3_600_000;
  const startedAt = new Date(Math.floor(context.now.getTime() / hourMs) * hourMs);
  const { count } = await context.db
    .insertInto('trigger_usage')
    .values({ organizationId, startedAt, count: 1 })
    .onConflict((conflict) =>
      conflict.column('organizationId').doUpdateSet({
        startedAt,
        count: sql<number>`case when trigger_usage.started_at = excluded.started_at then trigger_usage.count + 1
          else 1 end`,
      }),
    )
    .returning('count')
    .executeTakeFirstOrThrow();
  if (count <= limits.triggersPerHour) return;
  const retryAfter = Math.ceil((startedAt.getTime() + hourMs - context.now.getTime()) / 1000);
  throw new Problem('rate_limited', 'Too many pipeline triggers were used in this hour', { retryAfter });
}
