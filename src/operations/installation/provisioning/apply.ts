import { sql } from 'kysely';
import { z } from 'zod';
import { actorReference } from '../../../auth/actor.js';
import type { Context } from '../../../request/context.js';
import { prunedKeys } from '../../../domain/installation/pruned-keys.js';
import { invalid } from '../../../domain/problem.js';
import { type AnyOperation, defineOperation, runCommand } from '../../../core/operation.js';
import type { Command, Commands } from '../../../resources/installation/provisioning/apply-declared.js';
import { applyApiTokens } from '../../../resources/installation/provisioning/apply-api-tokens.js';
import { applyOrganizations } from '../../../resources/installation/provisioning/apply-organizations.js';
import { applyUsers } from '../../../resources/installation/provisioning/apply-users.js';
import { Ledger, type ProvisioningOutcome } from '../../../resources/installation/provisioning/ledger.js';
import { provisioningPlan } from '../../../resources/installation/provisioning/plan.js';
import { prune } from '../../../resources/installation/provisioning/prune.js';
import { createRule } from '../../agents/rules/create.js';
import { deleteRule } from '../../agents/rules/delete.js';
import { updateRule } from '../../agents/rules/update.js';
import { createSecret } from '../../agents/secrets/create.js';
import { deleteSecret } from '../../agents/secrets/delete.js';
import { updateSecretValue } from '../../agents/secrets/update-value.js';
import { updateSecret } from '../../agents/secrets/update.js';
import { createProviderConnection } from '../../integrations/provider-connections/create.js';
import { updateProviderConnection } from '../../integrations/provider-connections/update.js';
import { createNotificationService } from '../../integrations/notification-services/create.js';
import { deleteNotificationService } from '../../integrations/notification-services/delete.js';
import { disableNotificationService } from '../../integrations/notification-services/disable.js';
import { enableNotificationService } from '../../integrations/notification-services/enable.js';
import { updateNotificationService } from '../../integrations/notification-services/update.js';
import { deleteTeam } from '../../organizations/teams/delete.js';
import { createPipeline } from '../../pipelines/create.js';
import { deletePipeline } from '../../pipelines/delete.js';
import { createSchedule } from '../../pipelines/schedules/create.js';
import { deleteSchedule } from '../../pipelines/schedules/delete.js';
import { updateSchedule } from '../../pipelines/schedules/update.js';
import { createTemplate } from '../../pipelines/templates/create.js';
import { deleteTemplate } from '../../pipelines/templates/delete.js';
import { updateTemplate } from '../../pipelines/templates/update.js';
import { updatePipeline } from '../../pipelines/update.js';
import { deleteSuite } from '../../suites/delete.js';

/** Applies one plan at a time: replicas that start together with the same file must not create everything twice. */
const provisioningLock = 7_501_924;

const run =
  (operation: AnyOperation): Command =>
  async (context, input) =>
    (await runCommand(operation, context, input)).output;

const commands: Commands = {
  createPipeline: run(createPipeline),
  updatePipeline: run(updatePipeline),
  deletePipeline: run(deletePipeline),
  createSchedule: run(createSchedule),
  updateSchedule: run(updateSchedule),
  deleteSchedule: run(deleteSchedule),
  createTemplate: run(createTemplate),
  updateTemplate: run(updateTemplate),
  deleteTemplate: run(deleteTemplate),
  createRule: run(createRule),
  updateRule: run(updateRule),
  deleteRule: run(deleteRule),
  createSecret: run(createSecret),
  updateSecret: run(updateSecret),
  updateSecretValue: run(updateSecretValue),
  deleteSecret: run(deleteSecret),
  createConnection: run(createProviderConnection),
  updateConnection: run(updateProviderConnection),
  createService: run(createNotificationService),
  updateService: run(updateNotificationService),
  enableService: run(enableNotificationService),
  disableService: run(disableNotificationService),
  deleteService: run(deleteNotificationService),
  deleteTeam: run(deleteTeam),
  deleteSuite: run(deleteSuite),
};

/** Thrown by a dry run, so that its transaction is rolled back; has what would have been changed. */
export class DryRun extends Error {
  override readonly name = 'DryRun';

  constructor(readonly outcome: ProvisioningOutcome) {
    super('a dry run changes nothing');
  }
}

/**
 * Applies a plan in one transaction: everything, or nothing with every problem named by its path. Applying the same
 * plan again changes nothing, and resources that the plan does not name stay unchanged, unless their kind is pruned.
 * With `dryRun` it throws {@link DryRun} in place of a commit.
 */
export const applyPlan = defineOperation({
  name: 'provisioning.apply',
  summary: 'Applies a provisioning plan.',
  kind: 'command',
  scope: null,
  access: 'internal',
  input: provisioningPlan.extend({
    dryRun: z.boolean().default(false),
    prune: z.array(z.enum(prunedKeys)).default([]),
  }),
  subject: async () => ({}),
  run: async (context, plan): Promise<ProvisioningOutcome> => {
    await sql`select pg_advisory_xact_lock(${provisioningLock})`.execute(context.db);
    const ledger = new Ledger();
    await applyUsers(context, ledger, plan.users);
    await applyOrganizations(context, ledger, plan.organizations, commands);
    await applyApiTokens(context, ledger, plan.apiTokens);
    await prune(context, ledger, plan.organizations, plan.prune, commands);
    if (ledger.problems.length > 0) throw invalid(ledger.problems);
    if (plan.dryRun) throw new DryRun(ledger.outcome());
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
