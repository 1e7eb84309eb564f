import { Command } from 'commander';
import type { ProvisioningOutcome } from '../resources/installation/provisioning/ledger.js';
import { print } from './output.js';

/** `slipway apply FILE`: provisions and exits. */
export function applyCommand(): Command {
  return new Command('apply')
    .description('Provision organizations, users, clusters, teams, suites and tokens from a YAML file and exit.')
    .argument('<file>', 'the provisioning file (docs/operations.md)')
    .option('--json', 'print the changes as JSON')
    .action(async (file: string, options: { json?: boolean }) => {
      const { readProvisioningFile } = await import('../provisioning/read-file.js');
      const provisioning = readProvisioningFile(file, process.env);
      const { applyProvisioning } = await import('../provisioning/apply.js');
      const { withInstallation } = await import('./with-installation.js');
      const outcome = await withInstallation(({ services }) => applyProvisioning(services, provisioning));
      await print(options.json, { changed: outcome.changes.length > 0, ...outcome }, describeOutcome(outcome));
    });
}

function describeOutcome({ changes, kept: unchanged }: ProvisioningOutcome): string {
  const lines = changes.map(
    ({ action, kind, name, fields }) => `${action} ${kind} ${name}${fields ? ` (${fields.join(', ')})` : ''}`,
  );
  lines.push(...unchanged.map(({ kind, name, reason }) => `left ${kind} ${name} unchanged: ${reason}`));
  if (changes.length === 0) lines.push('nothing to change');
  return lines.join('\n');
}
