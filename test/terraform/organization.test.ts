import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../support/database.js';
import { Program } from '../support/program.js';
import { commandTimeoutMs, declared, findTools, type Resource, TerraformFolder } from './terraform.js';
import { describeUnless } from '../support/skips.js';

const source = 'test/terraform/organization';
const importable = ['main.tf'];
const whole = [...importable, 'data.tf', 'resources-without-import.tf'];
const changed = ['-var', 'changed=true'];
const imported = ['-var', 'imported=true'];
/** Pipelines that the variable leaves out. */
const partly = /\["(?:gitlab|gitlab_ee|unknown)"\]$/;

/**
 * What the provider has for parts of the hosted service that Slipway has not, and for what needs an account at GitHub.
 */
const unserved = {
  resources: ['buildkite_pipeline_webhook', 'buildkite_portal', 'buildkite_registry'],
  data: ['buildkite_portal', 'buildkite_portals', 'buildkite_registry'],
};

/** IDs by which the provider imports, where they are not the resource's `id`. */
const importIds: Readonly<Record<string, (values: Record<string, unknown>) => string>> = {
  buildkite_cluster_maintainer: ({ cluster_uuid: cluster, id }) => `${String(cluster)}/${String(id)}`,
  buildkite_cluster_queue: ({ cluster_uuid: cluster, id }) => `${String(id)},${String(cluster)}`,
  buildkite_cluster_secret: ({ cluster_id: cluster, id }) => `${String(cluster)}/${String(id)}`,
  buildkite_organization: () => 'acme',
};

const token = 'a-token-of-twenty-characters-or-more';
const provisioning = `users:
  - {email: ada@example.com, name: Ada}
  - {email: grace@example.com, name: Grace}
organizations:
  - slug: acme
    name: Acme
    plan: enterprise
    teams_enabled: true
    default_cluster: Default
    clusters: [{name: Default, queues: [{key: default}]}]
    members: [{user: ada@example.com, role: admin}, {user: grace@example.com, role: member}]
api_tokens:
  - {user: ada@example.com, description: terraform, token: ${token}, scopes: all, organizations: [acme]}
`;

const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
const jwks = JSON.stringify({ keys: [{ ...key, kid: 'terraform', alg: 'EdDSA', use: 'sig' }] });

const tools = await findTools();
const server = (url: string) => ({ url, token, organization: 'acme' });
const probe = tools.program === null ? null : new TerraformFolder(tools, server(''), source, whole);
const missing = probe ? await probe.install() : 'there is neither Terraform nor OpenTofu here';
probe?.remove();

describeUnless(missing, 'Terraform, with the provider as it is', () => {
  const directory = temporaryDirectory();
  const folders: TerraformFolder[] = [];
  let program: Program;
  let url: string;
  let terraform: TerraformFolder;
  let applied: Resource[];

  const open = async (files: readonly string[]) => {
    const folder = new TerraformFolder(tools, server(url), source, files, { jwks });
    folders.push(folder);
    expect(await folder.install()).toBe(null);
    return folder;
  };
  const read = async (path: string): Promise<unknown> =>
    (await fetch(`${url}/v2/${path}`, { headers: { Authorization: `Bearer ${token}` } })).json();

  beforeAll(async () => {
    const file = join(directory.path, 'slipway.yaml');
    writeFileSync(file, provisioning);
    program = Program.start(['serve', '--apply', file], { DATA_DIR: join(directory.path, 'data'), PORT: '0' });
    url = (await program.until(/"url":"(http:[^"]+)"/, 150_000))[1] ?? '';
    terraform = await open(whole);
  }, commandTimeoutMs);
  afterAll(async () => {
    for (const folder of folders) folder.remove();
    await program.stop();
    directory.remove();
  });

  test('the configuration has every resource and data source that the provider has and Slipway serves', async () => {
    const { resources, data } = await terraform.types();
    expect([...declared(source, whole, 'resource'), ...unserved.resources].sort()).toEqual(resources);
    expect([...declared(source, whole, 'data'), ...unserved.data].sort()).toEqual(data);
  });

  test(
    'a whole organization is applied, and a plan after that is empty',
    async () => {
      await terraform.apply();
      expect(await terraform.plan()).toEqual([]);
      applied = await terraform.resources();
      expect(await terraform.output('read')).toMatchObject({
        clusters: expect.arrayContaining(['Linux', 'Least', 'Default']) as unknown,
        members: expect.arrayContaining(['ada@example.com', 'grace@example.com']) as unknown,
        pipeline: { repository: 'git@github.com:acme/whole.git', cluster_name: 'Linux' },
        rules: ['TRIGGER_BUILD', 'ARTIFACTS_READ'],
        suite: 'Whole',
        team: ['Developers', 'Least'],
      });
      const schedules = await read('organizations/acme/pipelines/least/schedules');
      expect(schedules).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            env: expect.objectContaining({ A: '1', QUOTES: `say "hello" and 'bye'`, SPACES: '  around  ' }) as unknown,
          }),
        ]),
      );
    },
    commandTimeoutMs,
  );

  test(
    'a whole organization is imported, and the plan changes nothing but what cannot be read back',
    async () => {
      const folder = await open(importable);
      const other = declared(source, ['resources-without-import.tf'], 'resource');
      const those = applied.filter(({ address, type }) => !other.includes(type) && !partly.test(address));
      const blocks = those.map(importBlock);
      folder.write('imports.tf', blocks.join('\n'));
      const plan = await folder.plan(...imported);
      expect(plan.map(({ imported }) => imported)).toEqual(blocks.map(() => true));
      const changes = plan.filter(({ attributes }) => attributes.length > 0);
      expect(Object.fromEntries(changes.map(({ address, attributes }) => [address, attributes]))).toEqual({
        // Values of secrets are never shown.
        'buildkite_cluster_secret.least': ['value'],
        'buildkite_cluster_secret.password': ['value'],
        // The provider imports settings that the configuration leaves out.
        'buildkite_pipeline.least': ['provider_settings'],
        'buildkite_pipeline.signed': ['provider_settings'],
      });
      await folder.apply(...imported);
      expect(await folder.plan(...imported)).toEqual([]);
    },
    commandTimeoutMs,
  );

  test(
    'a whole organization is changed in place, and a plan after that is empty',
    async () => {
      const plan = await terraform.plan(...changed);
      expect(plan.filter(({ actions }) => actions.join() !== 'update').map(({ address }) => address)).toEqual([]);
      await terraform.apply(...changed);
      expect(await terraform.plan(...changed)).toEqual([]);
    },
    commandTimeoutMs,
  );

  test(
    'a whole organization is destroyed, and nothing of it is left',
    async () => {
      await terraform.destroy(...changed);
      expect(await terraform.resources()).toEqual([]);
      for (const list of ['pipelines', 'teams', 'pipeline-templates', 'rules'])
        expect([list, await read(`organizations/acme/${list}`)]).toEqual([list, []]);
      expect(await read('analytics/organizations/acme/suites')).toEqual([]);
      expect(await read('organizations/acme/clusters')).toMatchObject([{ name: 'Default' }]);
    },
    commandTimeoutMs,
  );
});

function importBlock({ address, type, values }: Resource): string {
  const id = importIds[type]?.(values) ?? String(values['id']);
  return `import {\n  to = ${address}\n  id = ${JSON.stringify(id)}\n}\n`;
}
