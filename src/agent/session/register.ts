import { readFile } from 'node:fs/promises';
import { hostname, release, type } from 'node:os';

import { expandAgentName } from './agent-name.js';
import type { AgentHttp } from '../http.js';
import type { ResolvedOptions } from '../options.js';
import type { Retrier } from '../retry.js';
import { wireArchitecture } from '../user-agent.js';
import { registrationSchema, type Registration } from '../wire.js';

/**
 * Creates the agent's session and moves `http` to the endpoint the server names.
 * @throws AgentHttpError when refused or when the server stays away
 */
export async function register(
  http: AgentHttp,
  retrier: Retrier,
  options: ResolvedOptions,
  spawnIndex: number,
  signal?: AbortSignal,
): Promise<Registration> {
  const json = {
    name: expandAgentName(options.name, spawnIndex),
    hostname: hostname(),
    os: await operatingSystem(),
    arch: wireArchitecture(),
    script_eval_enabled: true,
    ignore_in_dispatches: options.acquireJob !== undefined,
    priority: options.spawnWithPriority ? String(spawnIndex) : options.priority?.toString(),
    version: options.version,
    build: 'x',
    meta_data: options.tags,
    pid: process.pid,
    features: features(options),
  };
  const registration = await retrier.run(
    'register',
    () => http.sendAndDecode('POST', 'register', { token: options.token, json, signal }, registrationSchema),
    signal,
  );
  if (registration.endpoint) http.endpoint = registration.endpoint;
  http.setRequestHeaders(registration.request_headers);
  return registration;
}

function features(options: ResolvedOptions): string[] {
  return [
    ...(options.pluginsEnabled ? [] : ['no-plugins']),
    ...(options.acquireJob === undefined ? [] : ['acquire-job']),
    ...(options.disconnectAfterJob ? ['disconnect-after-job'] : []),
    ...(options.disconnectAfterIdleTimeout === undefined ? [] : ['disconnect-after-idle']),
    ...(options.disconnectAfterUptime === undefined ? [] : ['disconnect-after-uptime']),
    ...(options.allowedRepositories.length === 0 ? [] : ['allowed-repositories']),
    ...(options.allowedPlugins.length === 0 ? [] : ['allowed-plugins']),
  ];
}

async function operatingSystem(): Promise<string> {
  try {
    return await readFile('/etc/os-release', 'utf8');
  } catch {
    return `${type()} ${release()}`;
  }
}
