import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { buildInfo } from '../server/build-info.js';
import type { Config } from '../server/config.js';
import { loopbackNetworks } from '../domain/loopback-host.js';
import type { RunningServer } from '../server/server.js';
import type { Logger } from '../services/services.js';
import type { DemoInstallation } from './demo-installation.js';
import { print } from './output.js';
import { readConfiguration } from './read-configuration.js';
import { type Running, runUntilSignal } from './run-until-signal.js';

interface DevOptions {
  newToken?: boolean;
  json?: boolean;
}

/** `slipway dev` (`npm start`): everything on this machine. */
export function devCommand(): Command {
  return new Command('dev')
    .description(
      'Run everything on this machine: server, embedded database, a demo organization and the bundled agent.',
    )
    .option('--new-token', 'issue and print another API token for the demo user')
    .option('--json', 'print URLs, token and commands as JSON')
    .addHelpText(
      'after',
      '\nUses the embedded database in DATA_DIR (./data), whatever DATABASE_URL says. PORT=0 takes any free port.',
    )
    .action(dev);
}

async function dev(options: DevOptions): Promise<void> {
  const config = await readConfiguration((env) => ({
    DATABASE_URL: undefined,
    DATABASE_READ_URL: undefined,
    // What it prints, and its own agent, are for this machine.
    TLS_CERT: undefined,
    TLS_KEY: undefined,
    // No proxy has to look elsewhere.
    DRAIN_DELAY: env['DRAIN_DELAY'] || '0',
    // Receivers under test run on this machine, and only its user can configure them.
    OUTBOUND_ALLOW: env['OUTBOUND_ALLOW'] || loopbackNetworks.join(','),
  }));
  await runUntilSignal(() => startAll(config, options));
}

async function startAll(config: Config, options: DevOptions): Promise<Running> {
  const { createLog } = await import('../server/logging.js');
  // With --json stdout belongs to the data.
  const log = await createLog(config.logLevel, options.json ? process.stderr : process.stdout);
  const { startServer } = await import('../server/server.js');
  const server = await startServer(config, { log, version: buildInfo().version });
  try {
    const { prepareDemo } = await import('./demo-installation.js');
    const installation = await prepareDemo(server.services, { newToken: options.newToken ?? false });
    const agent = await startBundledAgent(server.url, installation, config, log);
    await introduce(server, installation, config, options);
    return {
      log,
      close: async () => {
        await agent.close();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Seconds a job gets to end after SIGTERM: the whole program has to stop within ten. */
const gracePeriod = 1;
const agentPatience = 3_000;

async function startBundledAgent(url: string, { agentToken }: DemoInstallation, config: Config, log: Logger) {
  const { startAgent } = await import('../agent/session/start-agent.js');
  const stopNow = new AbortController();
  const ended = startAgent(
    {
      endpoint: `${url}/v3`,
      token: agentToken,
      queue: 'default',
      name: 'bundled-agent',
      buildPath: resolve(join(config.dataDir, 'builds')),
      pluginsPath: resolve(join(config.dataDir, 'plugins')),
      cancelGracePeriod: gracePeriod,
      log,
    },
    undefined,
    stopNow.signal,
  ).catch((error: unknown) => log.error({ err: error }, 'the bundled agent failed'));
  return {
    close: async () => {
      stopNow.abort();
      await Promise.race([ended, new Promise((done) => setTimeout(done, agentPatience).unref())]);
    },
  };
}

async function introduce(
  { services, url }: Pick<RunningServer, 'services' | 'url'>,
  installation: DemoInstallation,
  config: Config,
  options: DevOptions,
): Promise<void> {
  const { demo } = await import('./demo-installation.js');
  const { firstCommands, helloSlug, repositoryCommands, welcome } = await import('./first-steps.js');
  const hello = await services.db
    .selectFrom('pipelines as p')
    .innerJoin('organizations as o', 'o.id', 'p.organizationId')
    .select('p.nextBuildNumber')
    .where('o.slug', '=', installation.organization)
    .where('p.slug', '=', helloSlug)
    .executeTakeFirst();
  const steps = {
    baseUrl: services.baseUrl,
    organization: installation.organization,
    clusterId: installation.clusterId,
    apiToken: installation.apiToken,
    // The address is good on this machine only, so it names this machine whatever others call it.
    signInUrl: `${url}/login/once/${installation.signInToken}`,
    nextHello: hello?.nextBuildNumber ?? null,
  };
  const data = {
    url: steps.baseUrl,
    sign_in_url: steps.signInUrl,
    rest_url: `${steps.baseUrl}/v2`,
    graphql_url: `${steps.baseUrl}/graphql`,
    agent_url: `${steps.baseUrl}/v3`,
    organization: steps.organization,
    user: demo.user,
    cluster_id: steps.clusterId,
    token: steps.apiToken,
    commands: firstCommands(steps).map(({ command }) => command),
    repository_commands: repositoryCommands(steps).map(({ command }) => command),
  };
  await print(options.json, data, welcome(steps, resolve(config.dataDir)));
}
