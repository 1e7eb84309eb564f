import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery, printSchema } from 'graphql';
import { Program } from '../support/program.js';

/** The product as `npm start` runs it, with a pipeline whose first build has passed. */
export class DemoServer {
  private constructor(
    private readonly program: Program,
    private readonly folder: string,
    readonly url: string,
    readonly token: string,
  ) {}

  /** Slug of the pipeline with the build. */
  readonly passed = 'passed';

  static async start(): Promise<DemoServer> {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-demo-'));
    const program = Program.start(['dev', '--json'], { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'error' });
    try {
      await program.until(/"token"[^]*\n}/, 150_000);
      const { url, token } = JSON.parse(program.stdout.slice(program.stdout.indexOf('{'))) as {
        url: string;
        token: string;
      };
      const server = new DemoServer(program, folder, url, token);
      await server.makePassedBuild();
      return server;
    } catch (error) {
      await program.stop();
      throw error;
    }
  }

  /** Environment of the programs in examples/client. */
  get environment(): Record<string, string> {
    return { SLIPWAY_URL: this.url, SLIPWAY_TOKEN: this.token, SLIPWAY_ORGANIZATION: 'demo' };
  }

  async call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const reply = await fetch(`${this.url}/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  }

  /** The document that generators of REST clients read, as the server sends it. */
  async openapi(): Promise<string> {
    return JSON.stringify(await this.call('GET', '/openapi.json'));
  }

  /** The schema that generators of GraphQL clients read, as the server describes it by introspection. */
  async schema(): Promise<string> {
    const reply = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true }) }),
    });
    const { data } = (await reply.json()) as { data: IntrospectionQuery };
    return printSchema(buildClientSchema(data));
  }

  private async makePassedBuild(): Promise<void> {
    const pipelines = '/organizations/demo/pipelines';
    await this.call('POST', pipelines, {
      name: this.passed,
      repository: 'https://git.example.com/demo/passed.git',
      configuration: 'env: { BUILDKITE_SKIP_CHECKOUT: "true" }\nsteps: [{ label: Hello, command: "true" }]',
    });
    await this.call('POST', `${pipelines}/${this.passed}/builds`, { commit: 'HEAD', branch: 'main' });
    const deadline = Date.now() + 120_000;
    for (let state = ''; state !== 'passed';) {
      ({ state } = await this.call<{ state: string }>('GET', `${pipelines}/${this.passed}/builds/1`));
      if (Date.now() > deadline) throw new Error(`the build did not pass: ${state}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  async stop(): Promise<void> {
    await this.program.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
