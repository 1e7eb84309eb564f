import { Command } from 'commander';
import { buildInfo } from '../server/build-info.js';
import type { Config } from '../server/config.js';
import type { Logger, Services } from '../services/services.js';
import type { ServerProcesses } from '../server/processes/member.js';
import { readConfiguration } from './read-configuration.js';
import { type Running, runUntilSignal } from './run-until-signal.js';

/** `slipway serve`: the server alone. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server; migrates the database first (safe when several replicas start at once).')
    .option('--apply <file>', 'provision from this file before listening')
    .addHelpText(
      'after',
      '\nListens on HOST:PORT (127.0.0.1:3000). Stops on SIGTERM or SIGINT within 10 seconds.' +
        '\nWith PostgreSQL, WORKERS=auto runs a process for each core behind the one port.',
    )
    .action(serve);
}

async function serve(options: { apply?: string }): Promise<void> {
  const config = await readConfiguration();
  const { joinServerProcesses } = await import('../server/processes/member.js');
  const processes = joinServerProcesses();
  const { takeSystemdSocket } = await import('../server/systemd.js');
  const socket = takeSystemdSocket();
  if (config.workers > 1 && !processes) return supervise(config, options.apply, socket);
  return serveHere(config, options.apply, processes, socket);
}

/** Tells the service manager, if there is one, of a start and of the stop that follows. */
async function underServiceManager<T extends Running & { log: Logger }>(start: () => Promise<T>): Promise<T> {
  const { openServiceManager } = await import('../server/systemd.js');
  const manager = openServiceManager();
  const running = await start();
  manager.ready(running.log);
  const close = () => {
    manager.stopping();
    return running.close();
  };
  return { ...running, log: running.log, close };
}

async function serveHere(
  config: Config,
  apply: string | undefined,
  processes: ServerProcesses | null,
  socket: number | null,
): Promise<void> {
  const provisions = apply !== undefined && (processes?.role.provisions ?? true);
  const provisioning = provisions ? await openProvisioning(apply) : undefined;
  const { startServer } = await import('../server/server.js');
  const { createLog } = await import('../server/logging.js');
  const log = await createLog(config.logLevel, process.stdout, processes ? { process: processes.role.number } : {});
  // Not after the port is open: a signal that comes before the start has ended would end the process at once.
  const beforeListening = async (services: Services) => {
    await provisioning?.(services);
    if (processes?.role.provisions ?? true) await adviseIfEmpty(services);
  };
  const start = async () => {
    const { version } = buildInfo();
    const options = { log, version, beforeListening, socket, ...(processes ? { processes } : {}) };
    const server = await startServer(config, options);
    return { close: server.close, log: server.services.log };
  };
  try {
    await runUntilSignal(processes ? start : () => underServiceManager(start), { stopped: processes?.stopped });
  } catch (error) {
    processes?.leave();
    throw error;
  }
}

/** Says in the log what to do next where nobody can sign in or call, because the database has no user. */
async function adviseIfEmpty(services: Services): Promise<void> {
  const user = await services.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (user) return;
  const create = 'slipway user create --email you@example.com --name "Your Name" --organization acme --role admin';
  services.log.warn(
    { docs: 'docs/console.md#the-first-administrator' },
    `nobody can sign in yet, because there is no user. Make the first administrator with \`${create}\` (with the ` +
      'embedded database stop the server before), or start with `slipway serve --apply FILE` and a provisioning file ' +
      '(docs/operations.md#provisioning)',
  );
}

/** Runs the server in several processes; this one only looks after them. */
async function supervise(config: Config, apply: string | undefined, socket: number | null): Promise<void> {
  // A wrong file is refused before any process is started.
  if (apply !== undefined) await openProvisioning(apply);
  const { createLog } = await import('../server/logging.js');
  const { StartFailed, superviseServers } = await import('../server/processes/supervisor.js');
  const log = await createLog(config.logLevel);
  try {
    await runUntilSignal(() => underServiceManager(() => superviseServers(config, log, socket)));
  } catch (error) {
    if (!(error instanceof StartFailed)) throw error;
    process.exitCode = error.exitCode;
  }
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
