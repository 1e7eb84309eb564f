import { Command, InvalidArgumentError } from 'commander';
import type { ProvisioningOutcome } from '../resources/installation/provisioning/ledger.js';
import { type PrunedKey, prunedKeys } from '../domain/installation/pruned-keys.js';
import { note, print } from './output.js';
import { WrongUsage } from './wrong-usage.js';

interface ApplyFileOptions {
  dryRun?: boolean;
  prune?: PrunedKey[];
  yes?: boolean;
  json?: boolean;
}

/** `slipway apply FILE`: provisions and exits. */
export function applyCommand(): Command {
  return new Command('apply')
    .description('Provision organizations with all they have, users and tokens from a YAML file and exit.')
    .argument('<file>', 'the provisioning file (docs/operations.md)')
    .option('--dry-run', 'print the changes and make none')
    .option(
      '--prune <kinds>',
      `delete what the file does not name of these kinds, with commas between: ${prunedKeys.join(', ')}`,
      readKinds,
    )
    .option('--yes', 'do not ask before --prune deletes')
    .option('--json', 'print the changes as JSON')
    .action(applyFile);
}

async function applyFile(file: string, options: ApplyFileOptions): Promise<void> {
  const { readProvisioningFile } = await import('../provisioning/read-file.js');
  const provisioning = readProvisioningFile(file, process.env);
  const { applyProvisioning } = await import('../provisioning/apply.js');
  const { withInstallation, withUnchangedInstallation } = await import('./with-installation.js');
  const { dryRun = false, prune = [] } = options;
  const outcome = await (dryRun ? withUnchangedInstallation : withInstallation)(async ({ services }) => {
    if (prune.length > 0 && !dryRun && !options.yes) {
      const plan = await applyProvisioning(services, provisioning, { dryRun: true, prune });
      await confirmDeletions(plan.changes.filter(({ action }) => action === 'deleted'));
    }
    return applyProvisioning(services, provisioning, { dryRun, prune });
  });
  await print(
    options.json,
    { changed: outcome.changes.length > 0, ...(dryRun ? { dry_run: true } : {}), ...outcome },
    describeOutcome(outcome, dryRun),
  );
}

/** Lists what is to be deleted and waits for a yes; throws where nobody can say it. */
async function confirmDeletions(deletions: ProvisioningOutcome['changes']): Promise<void> {
  if (deletions.length === 0) return;
  await note(`to be deleted:\n${deletions.map(({ kind, name }) => `  ${kind} ${name}`).join('\n')}`);
  if (!process.stdin.isTTY) throw new WrongUsage('nobody can be asked here: pass --yes to delete these');
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Delete ${deletions.length} of them? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Error('nothing was changed');
  } finally {
    terminal.close();
  }
}

function readKinds(value: string): PrunedKey[] {
  const words = value.split(',').map((word) => word.trim().replaceAll('-', '_'));
  const unknown = words.filter((word) => !(prunedKeys as readonly string[]).includes(word));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`${unknown.join(', ')} cannot be pruned. Kinds are: ${prunedKeys.join(', ')}.`);
  return words as PrunedKey[];
}

function describeOutcome({ changes, kept: unchanged }: ProvisioningOutcome, dryRun: boolean): string {
  const lines = changes.map(
    ({ action, kind, name, fields }) =>
      `${dryRun ? `would have ${action}` : action} ${kind} ${name}${fields ? ` (${fields.join(', ')})` : ''}`,
  );
  lines.push(...unchanged.map(({ kind, name, reason }) => `left ${kind} ${name} unchanged: ${reason}`));
  if (changes.length === 0) lines.push('nothing to change');
  return lines.join('\n');
}
