import { existsSync, readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { parse } from 'yaml';
import { createProgram } from '../../src/commands/program.js';
import { readConfig } from '../../src/server/config.js';
import { readProvisioning, readProvisioningFile } from '../../src/provisioning/read-file.js';
import { applyProvisioning } from '../../src/provisioning/apply.js';
import { passwordMatches } from '../../src/auth/passwords.js';
import { agentApp, ScriptedAgent } from '../support/scripted-agent.js';
import { World } from '../support/world.js';

const readme = readFileSync('README.md', 'utf8');
const operations = readFileSync('docs/operations.md', 'utf8');

/** The variables that a block of shell sets, each with a value of its length. */
function variablesOf(shell: string): Record<string, string> {
  const names = shell.matchAll(/\b([A-Z_]{4,})=/g);
  return Object.fromEntries(
    [...names].map(([, name = '']) => [name, `a-value-of-${name.toLowerCase()}-that-is-long-enough`]),
  );
}

const shellBlock = (page: string, marker: string) =>
  [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block).find((block) => block.includes(marker)) ?? '';

describe('the production block of README.md', () => {
  const block = shellBlock(readme, 'slipway -- serve');
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  test('names files that are there', () => {
    const files = [...block.matchAll(/--apply (\S+)/g)].map(([, file = '']) => file);
    expect(files).toEqual(['examples/slipway.yaml']);
    for (const file of files) expect(existsSync(file)).toBe(true);
  });

  test('sets what its provisioning file needs, which makes an administrator who can sign in and agents that can register', async () => {
    const variables: Record<string, string> = { ...variablesOf(block), ADMIN_EMAIL: 'admin@example.com' };
    // The world has an organization of the sample's name.
    const text = readFileSync('examples/slipway.yaml', 'utf8').replace('slug: acme', 'slug: first');
    const provisioning = readProvisioning(text, 'slipway.yaml', variables);
    const { changes } = await applyProvisioning(world.services, provisioning);
    expect(new Set(changes.map(({ action }) => action))).toContain('created');
    expect((await applyProvisioning(world.services, provisioning)).changes).toEqual([]);
    const user = await world.services.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', 'admin@example.com')
      .executeTakeFirstOrThrow();
    expect(await passwordMatches(variables['ADMIN_PASSWORD'] ?? '', user.passwordHash ?? '')).toBe(true);
    await ScriptedAgent.connected(agentApp(world), variables['AGENT_TOKEN'] ?? '', { meta_data: ['queue=default'] });
  });

  test('is a valid configuration', () => {
    const [, trusted] = /TRUSTED_PROXIES=(\S+)/.exec(block) ?? [];
    const variables = {
      ...variablesOf(block),
      DATABASE_URL: 'postgres://db/slipway',
      STORAGE_URL: 's3://slipway/logs?region=eu-central-1',
      HOST: '0.0.0.0',
      BASE_URL: 'https://ci.example.com',
      TRUSTED_PROXIES: trusted ?? '',
    };
    expect(readConfig(variables).warnings).toEqual([]);
    expect(trusted).toBeDefined();
  });
});

describe('compose.yaml', () => {
  interface Service {
    environment?: Record<string, string>;
    command?: string[];
    configs?: { source: string; target: string }[];
    networks: string[] | Record<string, { ipv4_address?: string } | null>;
  }
  const text = readFileSync('compose.yaml', 'utf8');
  const compose = parse(text, { merge: true }) as {
    services: Record<string, Service>;
    configs: Record<string, { file?: string; content?: string }>;
    networks: Record<string, { ipam: { config: { subnet: string; ip_range: string }[] } } | null>;
  };
  const service = (name: string): Service => compose.services[name] ?? { networks: [] };
  const block = shellBlock(operations, 'docker compose up');
  const values = { ...variablesOf(block), BASE_URL: 'http://192.0.2.7:3000', ADMIN_EMAIL: 'ada@example.com' };
  const substituted = (value: string) =>
    value.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_all, name: string, kind: string, rest: string) => {
      const known = (values as Record<string, string>)[name];
      if (known === undefined && kind !== '-') throw new Error(`${name} is not in the commands of docs/operations.md`);
      return known ?? rest;
    });
  const environmentOf = (name: string) =>
    Object.fromEntries(
      Object.entries(service(name).environment ?? {}).map(([key, value]) => [key, substituted(value)]),
    );

  test('every variable without a default is set by the commands of docs/operations.md', () => {
    const required = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name));
    expect([...required].sort()).toEqual(Object.keys(variablesOf(block)).sort());
  });

  test.each(['slipway-1', 'slipway-2'])('%s has a valid configuration, in which the proxy alone is trusted', (name) => {
    const config = readConfig({ HOST: '0.0.0.0', DATA_DIR: '/data', ...environmentOf(name) });
    expect(config.warnings).toEqual([]);
    const { networks } = service('proxy');
    const address = Array.isArray(networks) ? undefined : networks['inside']?.ipv4_address;
    expect(config.trustedProxies).toEqual([address]);
    const [{ subnet, ip_range: given } = { subnet: '', ip_range: '' }] = compose.networks['inside']?.ipam.config ?? [];
    const proxy = ipaddr.parse(address ?? '');
    expect(proxy.match(ipaddr.parseCIDR(subnet))).toBe(true);
    // Else another container could get the address that is trusted.
    expect(proxy.match(ipaddr.parseCIDR(given))).toBe(false);
  });

  test('the replicas apply a provisioning file that is there, with the variables that it needs', () => {
    const { command = [], configs = [] } = service('slipway-1');
    expect(command.slice(0, 2)).toEqual(['serve', '--apply']);
    const source = configs.find(({ target }) => target === command[2])?.source ?? '';
    expect(() => readProvisioningFile(compose.configs[source]?.file ?? '', environmentOf('slipway-1'))).not.toThrow();
  });

  test('the agent starts with the token of the provisioning file, and is in no network of the replicas', () => {
    const { command = [], networks } = service('agent');
    expect(environmentOf('agent')).toEqual({ BUILDKITE_AGENT_TOKEN: environmentOf('slipway-1')['AGENT_TOKEN'] });
    expect(networks).toEqual(['outside']);
    const start = createProgram()
      .commands.find((each) => each.name() === command[0])
      ?.commands.find((each) => each.name() === command[1]);
    const { operands, unknown } = start?.parseOptions(command.slice(2)) ?? { operands: ['?'], unknown: [] };
    expect({ operands, unknown, endpoint: substituted(start?.opts()['endpoint'] as string) }).toEqual({
      operands: [],
      unknown: [],
      endpoint: 'http://192.0.2.7:3000/v3',
    });
  });
});
