import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The longest that one command may take. */
export const commandTimeoutMs = 240_000;

interface Ended {
  code: number;
  output: string;
}

/** Resource of a state or plan, with its address (`buildkite_team.least`). */
export interface Resource {
  address: string;
  type: string;
  values: Record<string, unknown>;
}

/** Change of a resource in a plan. */
export interface Change {
  address: string;
  type: string;
  actions: string[];
  /** Whether the resource is imported. */
  imported: boolean;
  /** Names of the attributes that differ; those that are only known after the change are left out. */
  attributes: string[];
}

interface ModuleJson {
  resources?: { address: string; type: string; mode: string; values: Record<string, unknown> }[];
}

interface ChangeJson {
  address: string;
  type: string;
  mode: string;
  change: {
    actions: string[];
    importing?: object;
    before: Record<string, unknown> | null;
    after: Record<string, unknown> | null;
    after_unknown: Record<string, unknown>;
  };
}

/** What of this machine the tests run. */
export interface Tools {
  /** Terraform or OpenTofu; null if there is neither. */
  program: string | null;
  /** Binary of the provider, where one is named; else it is installed from its registry. */
  provider: string | null;
}

/** The program that `TERRAFORM` names, else `terraform` or `tofu`; the provider that `TERRAFORM_PROVIDER` names. */
export async function findTools(): Promise<Tools> {
  const { TERRAFORM, TERRAFORM_PROVIDER } = process.env;
  const provider = TERRAFORM_PROVIDER ? resolve(TERRAFORM_PROVIDER) : null;
  for (const program of TERRAFORM ? [TERRAFORM] : ['terraform', 'tofu'])
    if ((await execute(program, ['version'], tmpdir(), cleanEnvironment())).code === 0) return { program, provider };
  return { program: null, provider };
}

/** A folder with a configuration and its state, against one server. */
export class TerraformFolder {
  private readonly folder = mkdtempSync(join(tmpdir(), 'slipway-terraform-'));
  private readonly environment: Record<string, string>;

  /** Copies the named files of `source`; `variables` are those of the configuration. */
  constructor(
    private readonly tools: Tools,
    server: { url: string; token: string; organization: string },
    source: string,
    files: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ) {
    for (const file of files) cpSync(join(source, file), join(this.folder, file));
    this.environment = {
      ...cleanEnvironment(),
      BUILDKITE_GRAPHQL_URL: `${server.url}/graphql`,
      BUILDKITE_REST_URL: server.url,
      BUILDKITE_API_TOKEN: server.token,
      BUILDKITE_ORGANIZATION_SLUG: server.organization,
    };
    for (const [name, value] of Object.entries(variables)) this.environment[`TF_VAR_${name}`] = value;
    if (!tools.provider) return;
    const settings = join(this.folder, 'settings.tfrc');
    const overrides = JSON.stringify(dirname(tools.provider));
    writeFileSync(
      settings,
      `provider_installation {\n  dev_overrides { "buildkite/buildkite" = ${overrides} }\n  direct {}\n}\n`,
    );
    this.environment['TF_CLI_CONFIG_FILE'] = settings;
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Installs the provider; returns why it cannot be had, or null. */
  async install(): Promise<string | null> {
    // A provider that is named is not installed.
    if (this.tools.provider) return null;
    const { code, output } = await this.run(['init', '-input=false']);
    return code === 0 ? null : output.slice(output.indexOf('Error')).replace(/\s+/g, ' ').slice(0, 300);
  }

  /** Applies the configuration; fails with the errors of Terraform. */
  async apply(...args: string[]): Promise<void> {
    await this.require(['apply', '-auto-approve', '-input=false', ...args]);
  }

  async destroy(...args: string[]): Promise<void> {
    await this.require(['destroy', '-auto-approve', '-input=false', ...args]);
  }

  /** Resources that a plan changes or imports; none if its exit code says that there is nothing to do. */
  async plan(...args: string[]): Promise<Change[]> {
    const { code, output } = await this.run(['plan', '-detailed-exitcode', '-input=false', '-out=plan', ...args]);
    if (code === 1) throw new Error(output);
    const { resource_changes: changes = [] } = JSON.parse(await this.require(['show', '-json', 'plan'])) as {
      resource_changes?: ChangeJson[];
    };
    const effective = changes.filter(({ change }) => change.importing || change.actions.join() !== 'no-op');
    // The exit code is what users of a plan read: 0 says that there is nothing to do, 2 that there is.
    if ((code === 0) !== (effective.length === 0)) throw new Error(`exit code ${code}:\n${output}`);
    return effective.filter(({ mode }) => mode === 'managed').map(readChange);
  }

  /** Resources of the state; data sources are left out. */
  async resources(): Promise<Resource[]> {
    const { values } = JSON.parse(await this.require(['show', '-json'])) as { values?: { root_module: ModuleJson } };
    return (values?.root_module.resources ?? [])
      .filter(({ mode }) => mode === 'managed')
      .map(({ address, type, values: attributes }) => ({ address, type, values: attributes }));
  }

  /** Values of an output. */
  async output(name: string): Promise<unknown> {
    return JSON.parse(await this.require(['output', '-json', name]));
  }

  /** Types of resources and data sources that the provider has. */
  async types(): Promise<{ resources: string[]; data: string[] }> {
    const { provider_schemas: schemas } = JSON.parse(await this.require(['providers', 'schema', '-json'])) as {
      provider_schemas: Record<string, { resource_schemas: object; data_source_schemas: object }>;
    };
    const [schema] = Object.values(schemas);
    return {
      resources: Object.keys(schema?.resource_schemas ?? {}).sort(),
      data: Object.keys(schema?.data_source_schemas ?? {}).sort(),
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async require(args: readonly string[]): Promise<string> {
    const { code, output } = await this.run(args);
    if (code !== 0) throw new Error(`terraform ${args[0]} ended with ${code}:\n${output}`);
    return output;
  }

  private run([command = '', ...args]: readonly string[]): Promise<Ended> {
    const plain = command === 'output' || command === 'show' || command === 'providers' ? [] : ['-no-color'];
    return execute(this.tools.program ?? 'terraform', [command, ...args, ...plain], this.folder, this.environment);
  }
}

function readChange({ address, type, change }: ChangeJson): Change {
  const { before, after, after_unknown: unknown } = change;
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return {
    address,
    type,
    actions: change.actions,
    imported: change.importing !== undefined,
    attributes: names
      .filter((name) => unknown[name] !== true && JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]))
      .sort(),
  };
}

/** Types of the resources or data sources that a configuration declares. */
export function declared(folder: string, files: readonly string[], word: 'resource' | 'data'): string[] {
  const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  return [...new Set([...text.matchAll(new RegExp(`^${word} "(\\w+)"`, 'gm'))].map(([, type = '']) => type))].sort();
}

/** The variables of the shell without those that would configure Terraform or the provider. */
function cleanEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^(?:TF_|TERRAFORM|BUILDKITE_)/.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' };
}

/** Runs a command to its end; its standard error is part of the output only where it fails. */
function execute(command: string, args: string[], cwd: string, env: Record<string, string>): Promise<Ended> {
  return new Promise((done) => {
    execFile(
      command,
      args,
      { cwd, env, timeout: commandTimeoutMs, maxBuffer: 64 * 1024 ** 2 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        done({ code, output: code === 0 || code === 2 ? stdout : `${stdout}\n${stderr || String(error)}` });
      },
    );
  });
}
