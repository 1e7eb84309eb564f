import { Command } from 'commander';
import { print } from './output.js';

/** `slipway config`: what is in force, and from where. */
export function configCommand(): Command {
  return new Command('config')
    .description('Print every setting that is in force and where it comes from; secrets are hidden.')
    .option('--json', 'print the settings as JSON')
    .addHelpText(
      'after',
      '\nSettings are variables of the environment; slipway.config.yaml in the working directory may set any of them,' +
        '\nand the environment wins. Problems are printed as they would be at the start of a server, with exit code 1.',
    )
    .action(printConfig);
}

async function printConfig(options: { json?: boolean }): Promise<void> {
  const { describeSettings, textOf } = await import('./describe-settings.js');
  const { settingsHere } = await import('./read-configuration.js');
  const { file, settings, warnings } = await describeSettings(await settingsHere());
  await print(options.json, { file, settings, warnings }, textOf(settings, warnings));
}
