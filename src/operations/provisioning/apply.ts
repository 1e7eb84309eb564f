import { sql } from 'kysely';
import { actorReference } from '../../auth/actor.js';
import type { Context } from '../../context.js';
import { jsonb } from '../../database/row-conversion.js';
import { invalid } from '../../domain/problem.js';
import type { NewRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { applyApiTokens } from './apply-api-tokens.js';
import { applyOrganizations } from './apply-organizations.js';
import { applyUsers } from './apply-users.js';
import { Ledger, type ProvisioningOutcome } from './ledger.js';
import { provisioningPlan } from './plan.js';

/** One plan at a time: replicas that start together with the same file must not create everything twice. */
const provisioningLock = 7_501_924;

/**
 * Brings about what a plan names, in one transaction: all of it, or nothing with every problem named by its path.
 * Applying the same plan again changes nothing; what the plan does not name is left alone.
 */
export const applyPlan = defineOperation({
  name: 'provisioning.apply',
  summary: 'Bring about the organizations, users, clusters, teams, suites and tokens of a plan.',
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

/** One audit row a change (I18); they also remember what was made, so that a deletion is not undone. */
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
    data: jsonb({ action, name, ...(fields ? { fields } : {}) }) as unknown as NewRow<'audit_events'>['data'],
    requestId: context.request.requestId,
    createdAt: context.now,
  }));
  for (let start = 0; start < rows.length; start += 500) {
    await context.db.insertInto('audit_events').values(rows.slice(start, start + 500)).execute();
  }
}
