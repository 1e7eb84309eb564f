import { sql } from 'kysely';
import { actorReference } from '../../../auth/actor.js';
import type { Context } from '../../../request/context.js';
import { invalid } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { applyApiTokens } from '../../../resources/installation/provisioning/apply-api-tokens.js';
import { applyOrganizations } from '../../../resources/installation/provisioning/apply-organizations.js';
import { applyUsers } from '../../../resources/installation/provisioning/apply-users.js';
import { Ledger, type ProvisioningOutcome } from '../../../resources/installation/provisioning/ledger.js';
import { provisioningPlan } from '../../../resources/installation/provisioning/plan.js';

/** Applies one plan at a time: replicas that start together with the same file must not create everything twice. */
const provisioningLock = 7_501_924;

/**
 * Applies a plan in one transaction: everything, or nothing with every problem named by its path. Applying the same
 * plan again changes nothing, and resources that the plan does not name stay unchanged.
 */
export const applyPlan = defineOperation({
  name: 'provisioning.apply',
  summary: 'Applies a provisioning plan.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: provisioningPlan,
  subject: async () => ({}),
  run: async (context, plan): Promise<ProvisioningOutcome> => {
    await sql`select pg_advisory_xact_lock(${provisioningLock})`.execute(context.db);
    const ledger = new Ledger();
    await applyUsers(context, ledger, plan.users);
    await applyOrganizations(context, ledger, plan.organizations);
    await applyApiTokens(context, ledger, plan.apiTokens);
    if (ledger.problems.length > 0) throw invalid(ledger.problems);
    await writeLedger(context, ledger);
    return ledger.outcome();
  },
});

/**
 * Writes one audit row for each change. The rows also record which resources the file created, so that a later deletion
 * is not undone.
 */
async function writeLedger(context: Context, { entries }: Ledger): Promise<void> {
  const rows = entries.map(({ action, kind, name, fields, id, organizationId }) => ({
    id: context.newId(),
    organizationId: organizationId ?? (kind === 'organization' ? id : null),
    operation: 'provisioning.apply',
    ...actorReference(context.actor),
    apiTokenId: null,
    subject: kind,
    subjectId: id,
    subjectName: name,
    data: { action, name, ...(fields ? { fields } : {}) },
    requestId: context.request.requestId,
    createdAt: context.now,
  }));
  for (let start = 0; start < rows.length; start += 500) {
    await context.db
      .insertInto('audit_events')
      .values(rows.slice(start, start + 500))
      .execute();
  }
}
