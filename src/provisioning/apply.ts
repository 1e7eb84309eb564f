import { v7 } from 'uuid';
import { Context } from '../request/context.js';
import type { Services } from '../services/services.js';
import { Problem } from '../domain/problem.js';
import { perform } from '../core/operation.js';
import { applyPlan, DryRun } from '../operations/installation/provisioning/apply.js';
import type { ProvisioningOutcome } from '../resources/installation/provisioning/ledger.js';
import type { PrunedKey } from '../domain/installation/pruned-keys.js';
import { ProvisioningError } from './problem.js';
import type { ProvisioningFile } from './read-file.js';

export interface ApplyOptions {
  /** Finds out what would be changed, and changes nothing. */
  dryRun?: boolean;
  /** Kinds of which everything is deleted that the file does not name, in the organizations that it names. */
  prune?: readonly PrunedKey[];
}

/**
 * Applies a valid file. Throws {@link ProvisioningError} with positions, and changes nothing, for conflicts with the
 * database: missing references, and ids and tokens that are taken.
 */
export async function applyProvisioning(
  services: Services,
  { file, plan, locate }: ProvisioningFile,
  { dryRun = false, prune = [] }: ApplyOptions = {},
): Promise<ProvisioningOutcome> {
  const context = new Context(services, {
    actor: { kind: 'system', cause: 'provisioning' },
    surface: 'system',
    requestId: v7(),
  });
  try {
    return await perform(applyPlan, context, { ...(plan as object), dryRun, prune });
  } catch (error) {
    if (error instanceof DryRun) return error.outcome;
    if (!(error instanceof Problem) || !error.details.fields) throw error;
    throw new ProvisioningError(
      file,
      error.details.fields.map(({ field, code }) => ({ ...locate(field), message: code })),
    );
  }
}
