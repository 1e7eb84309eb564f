import { v7 } from 'uuid';
import { Context, type Services } from '../context.js';
import { Problem } from '../domain/problem.js';
import { perform } from '../operations/operation.js';
import { applyPlan } from '../operations/provisioning/apply.js';
import type { ProvisioningOutcome } from '../operations/provisioning/ledger.js';
import { ProvisioningError } from './problem.js';
import type { ProvisioningFile } from './read-file.js';

/**
 * Applies a file that reads well. What the database refuses (dangling references, ids and tokens that are taken) is
 * thrown as a {@link ProvisioningError} with the positions; nothing is changed then.
 */
export async function applyProvisioning(services: Services, { file, plan, locate }: ProvisioningFile): Promise<ProvisioningOutcome> {
  const context = new Context(services, { actor: { kind: 'system', cause: 'provisioning' }, door: 'system', requestId: v7() });
  try {
    return await perform(applyPlan, context, plan);
  } catch (error) {
    if (!(error instanceof Problem) || !error.details.fields) throw error;
    throw new ProvisioningError(file, error.details.fields.map(({ field, code }) => ({ ...locate(field), message: code })));
  }
}
