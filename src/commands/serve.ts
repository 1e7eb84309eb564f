import { Command } from 'commander';
import { runUntilSignal } from './run-until-signal.js';

/** `slipway serve`: the server alone. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server; migrates the database first (safe when several replicas start at once).')
    .option('--apply <file>', 'provision from this file before listening')
    .addHelpText('after', '\nListens on HOST:PORT (127.0.0.1:3000). Stops on SIGTERM or SIGINT within 10 seconds.')
    .action(serve);
}

async function serve(options: { apply?: string }): Promise<void> {
  const { readConfig } = await import('../config.js');
  const config = readConfig(process.env);
  const provisioning = options.apply === undefined ? null : await openProvisioning(options.apply);
  const { startServer } = await import('../server.js');
  await runUntilSignal(async () => {
    const server = await startServer(config, provisioning ? { beforeListening: provisioning } : {});
    return { close: server.close, log: server.services.log };
  });
}

/** Reads the file now, so that a wrong one is refused before anything is opened. */
async function openProvisioning(file: string) {
  const { readProvisioningFile } = await import('../provisioning/read-file.js');
  const { applyProvisioning } = await import('../provisioning/apply.js');
  const provisioning = readProvisioningFile(file, process.env);
  return async (services: Parameters<typeof applyProvisioning>[0]) => {
    const outcome = await applyProvisioning(services, provisioning);
    services.log.info({ file, changes: outcome.changes.length, kept: outcome.kept.length }, 'provisioned');
  };
}
