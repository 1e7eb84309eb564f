import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { migrateDataDirectory, temporaryDirectory } from '../database.js';
import { offeredJob } from '../offered-job.js';
import { Program } from '../program.js';
import { announced } from '../artifact-world.js';
import { type FuzzCase, fuzzCase, type Known } from './cases.js';

const apiToken = 'an-api-token-of-twenty-characters';
const agentToken = 'an-agent-token-of-twenty-characters';
const suiteToken = 'a-suite-token-of-twenty-characters';
const file = `users:
  - {email: ada@example.com, name: Ada}
organizations:
  - slug: acme
    name: Acme
    members: [{user: ada@example.com, role: admin}]
    default_cluster: Linux
    clusters:
      - {name: Linux, queues: [{key: default}], default_queue: default, agent_tokens: [{description: agents, token: ${agentToken}}]}
    suites: [{slug: unit, name: Unit, default_branch: main, token: ${suiteToken}}]
api_tokens:
  - {user: ada@example.com, description: ci, token: ${apiToken}, scopes: all, organizations: all}
`;

/** How long one connection may take; a case that leaves one waiting is no failure. */
const caseMs = 1_000;

/** The product as its own process, with something behind every surface. */
export class Served {
  private directory!: ReturnType<typeof temporaryDirectory>;
  private program!: Program;
  url = '';
  known!: Known;

  async start(): Promise<void> {
    this.directory = temporaryDirectory();
    const provisioning = join(this.directory.path, 'slipway.yaml');
    writeFileSync(provisioning, file);
    const dataDir = join(this.directory.path, 'data');
    await migrateDataDirectory(dataDir);
    this.program = Program.start(['serve', '--apply', provisioning], {
      DATA_DIR: dataDir,
      PORT: '0',
      RATE_LIMIT_ORGANIZATION: '0',
      RATE_LIMIT_USER: '0',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    this.url = (await this.program.until(/"url":"(http:[^"]+)"/, 120_000))[1] ?? '';
    this.known = await this.prepare();
  }

  async stop(): Promise<void> {
    await this.program.stop('SIGKILL');
    this.directory.remove();
  }

  /** Starts anew, with an empty database. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Null while the process answers and had no need of its last resort; else what is wrong. */
  async wrong(): Promise<string | null> {
    if (this.program.child.exitCode !== null) return `the process ended: ${this.program.stderr.slice(-2_000)}`;
    const health = await fetch(`${this.url}/healthz`).catch((error: unknown) => String(error));
    if (typeof health === 'string' || health.status !== 200)
      return `/healthz: ${typeof health === 'string' ? health : health.status}`;
    const uncaught = [
      ...(await (await fetch(`${this.url}/metrics`)).text()).matchAll(/^slipway_uncaught_errors_total\{.*\} (\d+)$/gm),
    ];
    if (uncaught.length !== 3) return 'uncaught errors are not counted';
    return uncaught.every(([, count]) => count === '0')
      ? null
      : `errors that nobody caught: ${
          this.program.stdout
            .split('\n')
            .filter((line) => line.includes('uncaught error'))
            .slice(-1)[0]
        }`;
  }

  /** Lines of the log that tell of a 500 since the last call. */
  faults(): string[] {
    const lines = this.program.stdout.split('\n').filter((line) => line.includes('"level":50'));
    this.program.stdout = '';
    return lines;
  }

  /** CPU seconds the process has used, where the system tells. */
  cpuSeconds(read: (path: string) => string): number {
    const fields = read(`/proc/${this.program.child.pid}/stat`).split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  }

  /** Sends the cases of some seeds, so many connections at a time. */
  async send(seeds: readonly number[], atOnce = 16): Promise<void> {
    const waiting = [...seeds];
    const port = Number(new URL(this.url).port);
    const work = async () => {
      for (let seed = waiting.pop(); seed !== undefined; seed = waiting.pop())
        await sendCase(port, fuzzCase(seed, this.known));
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  /** A pipeline, a running job and a registered artifact, made as clients make them. */
  private async prepare(): Promise<Known> {
    const user = (method: string, path: string, body?: object) => this.call(method, path, `Bearer ${apiToken}`, body);
    const [{ id: cluster }] = await user('GET', '/v2/organizations/acme/clusters');
    const pipeline = await user('POST', '/v2/organizations/acme/pipelines', {
      name: 'App',
      slug: 'app',
      repository: 'https://github.com/acme/app.git',
      cluster_id: cluster,
      configuration: 'steps: [{ command: make }]',
    });
    const trigger = await user('POST', '/v2/organizations/acme/pipelines/app/triggers', {});
    await user('POST', '/v2/organizations/acme/pipelines/app/builds', { commit: 'HEAD', branch: 'main', message: 'm' });
    const { access_token: session } = await this.call('POST', '/v3/register', `Token ${agentToken}`, {
      name: 'a',
      hostname: 'h',
      os: 'o',
      arch: 'a',
      version: '3.137.0',
      build: 'x',
      meta_data: ['queue=default'],
      pid: 1,
      features: [],
    });
    const agent = (method: string, path: string, body?: object, token: string = session) =>
      this.call(method, `/v3${path}`, `Token ${token}`, body);
    await agent('POST', '/connect', {});
    const job = await offeredJob(() => agent('GET', '/ping'));
    const { token: jobToken } = await agent('PUT', `/jobs/${job}/accept`, {});
    await agent('PUT', `/jobs/${job}/start`, { started_at: new Date().toISOString() }, jobToken);
    const artifacts = [announced('a.txt', Buffer.alloc(64))];
    const registered = await agent(
      'POST',
      `/jobs/${job}/artifacts`,
      { id: randomUUID(), artifacts, upload_destination: '', multipart_supported: true },
      jobToken,
    );
    const [put] = Object.values(registered.per_artifact_instructions as Record<string, { actions: { url: string }[] }>);
    const { pathname, search } = new URL(put?.actions[0]?.url ?? '');
    return {
      apiToken,
      agentToken: session,
      jobToken,
      suiteToken,
      job,
      webhookPath: new URL(pipeline.provider.webhook_url).pathname,
      triggerPath: new URL(trigger.trigger_url).pathname,
      putPath: pathname + search,
      form: { ...registered.upload_instructions.data, key: 'a.txt' },
    };
  }

  // What replies hold depends on what was asked.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  private async call(method: string, path: string, authorization: string, body?: object): Promise<any> {
    const reply = await fetch(this.url + path, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}

/** Writes the pieces one after another, then waits for the server to end the connection. */
function sendCase(port: number, { pieces, reset }: FuzzCase): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const timer = setTimeout(() => socket.destroy(), caseMs);
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.once('connect', () => {
      const left = [...pieces];
      const write = () => {
        const piece = left.shift();
        if (socket.destroyed) return;
        if (piece) socket.write(piece, () => setImmediate(write));
        else if (reset) socket.resetAndDestroy();
        else socket.end();
      };
      write();
    });
  });
}
