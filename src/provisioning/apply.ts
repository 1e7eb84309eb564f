import { v7 } from 'uuid';
import { Context } from '../request/context.js';
import type { Services } from '../services/services.js';
import { Problem } from '../domain/problem.js';
import { perform } from '../core/operation.js';
import { applyPlan } from '../operations/installation/provisioning/apply.js';
import type { ProvisioningOutcome } from '../resources/installation/provisioning/ledger.js';
import { ProvisioningError } from './problem.js';
import type { ProvisioningFile } from './read-file.js';

/**
 * Applies a valid file. Throws {@link ProvisioningError} with positions, and changes nothing, for conflicts with the
 * database: missing references, and ids and tokens that are taken.
 */
export async function applyProvisioning(
  services: Services,
  { file, plan, locate }: ProvisioningFile,
): Promise<ProvisioningOutcome> {
  const context = new Context(services, {
    actor: { kind: 'system', cause: 'provisioning' },
    surface: 'system',
    requestId: v7(),
  });
  try {
    return await perform(applyPlan, context, plan);
  } catch (error) {
    if (!(error instanceof Problem) || !error.details.fields) throw error;
    throw new ProvisioningError(
      file,
      error.details.fields.map(({ field, code }) => ({ ...locate(field), message: code })),
    );
  }
}
