import { Command } from 'commander';
import { asOperator } from './as-operator.js';
import { note, print } from './output.js';

/** `slipway export`: what is there, as a provisioning file. */
export function exportCommand(): Command {
  return new Command('export')
    .description('Print what is there as a provisioning file, which `slipway apply` takes back unchanged.')
    .option('--organization <slug...>', 'only these organizations, their members and no API tokens')
    .option('--json', 'print the file and the variables that it needs as JSON')
    .addHelpText(
      'after',
      '\nTokens and secrets are ${NAME}: set these variables where the file is applied. Passwords are left out, ' +
        'so that applying the file changes none.\n' +
        'Builds, archived pipelines and schedules without a label are not in it.',
    )
    .action(exportInstallation);
}

async function exportInstallation(options: { organization?: string[]; json?: boolean }): Promise<void> {
  const { exportPlan } = await import('../operations/installation/provisioning/export.js');
  const plan = await asOperator('slipway export', exportPlan, {
    ...(options.organization ? { organizations: options.organization } : {}),
  });
  const { writeProvisioning } = await import('../provisioning/write-file.js');
  const { text, variables } = writeProvisioning(plan);
  if (!options.json && variables.length > 0) await note(`variables to set for slipway apply: ${variables.join(' ')}`);
  await print(options.json, { file: text, variables }, text);
}
