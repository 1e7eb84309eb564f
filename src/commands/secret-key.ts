import { Command } from 'commander';
import { note, print } from './output.js';

/** `slipway secret-key`: operations on the installation's secret key. */
export function secretKeyCommand(): Command {
  const command = new Command('secret-key').description('Exchange the key that signs and encrypts.');
  command
    .command('rotate')
    .description('Re-encrypt with SECRET_KEY what SECRET_KEY_PREVIOUS encrypted.')
    .option('--json', 'print what was done as JSON')
    .addHelpText(
      'after',
      '\nSafe while servers run that have both keys, and to be run again after an interruption. ' +
        'docs/operations.md has the procedure.',
    )
    .action(rotate);
  return command;
}

async function rotate(options: { json?: boolean }): Promise<void> {
  const { withInstallation } = await import('./with-installation.js');
  const { rotateSecretKey } = await import('../resources/installation/secret-keys/rotate.js');
  const done = await withInstallation(({ database, services }) =>
    rotateSecretKey(services, { alone: database.kind === 'pglite' }),
  );
  if (done.unreadable > 0) await note(`${done.unreadable} values open with neither key: they were left as they are`);
  if (!done.retired) await note('servers went on sealing with the other key meanwhile: run this again');
  await print(options.json, done, `sealed ${done.resealed} values with SECRET_KEY`);
  if (!done.retired || done.unreadable > 0) process.exitCode = 1;
}
