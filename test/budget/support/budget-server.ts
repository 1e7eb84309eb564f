import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agentToken, secretKey, userToken } from '../../replicas/installation.js';
import { builtProgram } from '../../support/program.js';

const callersPriority = 10;
const pollerPriority = -10;

/** The heap that Node takes on a machine of 1 GB, in MB. */
export const heapMb = 512;

/** The file that a server begins with: an administrator, and so many members beside. */
function provisioningOf(users: number): string {
  const emails = Array.from({ length: users }, (_, index) => `member-${index}@example.com`);
  const members = emails.map((email) => `, {user: ${email}, role: member}`).join('');
  return `users:
  - {email: ada@example.com, name: Ada}
${emails.map((email) => `  - {email: ${email}, name: "${'x'.repeat(200)}"}\n`).join('')}organizations:
  - slug: acme
    name: Acme
    plan: enterprise
    default_cluster: Default
    members: [{user: ada@example.com, role: admin}${members}]
    clusters: [{name: Default, queues: [{key: default}], default_queue: default, agent_tokens: [{description: agents, token: ${agentToken}}]}]
api_tokens:
  - {user: ada@example.com, description: ci, token: ${userToken}, scopes: all, organizations: all}
`;
}

const graphqlRequest = {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${userToken}` },
  body: JSON.stringify({ query: '{ viewer { id } }' }),
};

/**
 * The callers of a test are on the server's machine, as real ones are not: they stand back behind it, and the process
 * that asks for its health before both.
 */
function favour(server: ChildProcess, poller: ChildProcess): void {
  try {
    setPriority(callersPriority);
    // The server of a second test has inherited that of the callers.
    if (server.pid !== undefined) setPriority(server.pid, 0);
    if (poller.pid !== undefined) setPriority(poller.pid, pollerPriority);
  } catch {
    // Only the superuser may ask for more than others.
  }
}

export interface Health {
  asked: number;
  not_200: number;
  slowest_ms: number;
}

const file = (path: string) => pathToFileURL(join(process.cwd(), path)).href;
const sampleEveryMs = 100;
/** A server that takes more is ended, for the sake of the machine. */
const mostRssMb = 4_000;

/**
 * `slipway serve` as it is built, in a process with a small heap that measures itself, and a process that asks for its
 * health.
 */
export class BudgetServer {
  url = '';
  /** How the process ended by itself; null while it runs, and after it was stopped. */
  death: string | null = null;
  /** The most memory that the process had resident at a sample, in MB. */
  peakRssMb = 0;
  private child!: ChildProcess;
  private poller!: ChildProcess;
  private output = '';
  private sampling!: NodeJS.Timeout;
  private stopping = false;
  private loop = { cpu_ms: 0, clock_ms: 0 };

  private constructor(
    private readonly directory: string,
    private readonly databaseUrl: string | undefined,
  ) {}

  /** Starts a server of `acme` on the embedded database in `directory`, or on the PostgreSQL database of the URL. */
  static async start(directory: string, databaseUrl?: string, users = 0): Promise<BudgetServer> {
    const server = new BudgetServer(directory, databaseUrl);
    writeFileSync(join(directory, 'slipway.yaml'), provisioningOf(users));
    await server.run();
    return server;
  }

  /** Starts the process again, on the same data. */
  async run(patienceMs = 120_000): Promise<void> {
    const { PATH = '', HOME = '' } = process.env;
    const options = [`--max-old-space-size=${heapMb}`, `--import=${file('bench/attacks/server-monitor.mjs')}`];
    const begin = ['--no-warnings', ...options, builtProgram(), 'serve', '--apply'];
    const environment = {
      ...{ PORT: '0', DRAIN_DELAY: '0', RATE_LIMIT_ORGANIZATION: '0', RATE_LIMIT_USER: '0' },
      ...{ SECRET_KEY: secretKey, OUTBOUND_ALLOW: '127.0.0.0/8', DATA_DIR: this.directory },
      ...{ GRAPHQL_POINTS_ORGANIZATION: '0', GRAPHQL_POINTS_USER: '0' },
      ...(this.databaseUrl === undefined ? {} : { DATABASE_URL: this.databaseUrl }),
    };
    this.death = null;
    this.stopping = false;
    this.output = '';
    this.child = spawn(process.execPath, [...begin, join(this.directory, 'slipway.yaml')], {
      env: { PATH, HOME, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const take = (text: string) => (this.output = (this.output + text).slice(-200_000));
    this.child.stdout?.setEncoding('utf8').on('data', take);
    this.child.stderr?.setEncoding('utf8').on('data', take);
    this.child.on('exit', (code, signal) => {
      clearInterval(this.sampling);
      if (!this.stopping) this.death ??= `${signal ?? `code ${code}`}: ${causeIn(this.output)}`;
    });
    this.child.on('message', (message: typeof this.loop) => {
      if (message.cpu_ms > this.loop.cpu_ms) this.loop = message;
    });
    this.sampling = setInterval(() => this.sample(), sampleEveryMs);
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const url = /"url":"(http:[^"]+)"/.exec(this.output)?.[1];
      if (url !== undefined) {
        this.url = url;
        break;
      }
      if (this.death !== null || Date.now() > deadline)
        throw new Error(`the server did not start: ${this.death ?? 'no URL in time'}\n${this.output.slice(-3_000)}`);
      await new Promise((done) => setTimeout(done, 20));
    }
    // The turns of the start, which makes the database and the schema, are nobody's reads.
    await fetch(`${this.url}/graphql`, graphqlRequest);
    this.child.send('read');
    await once(this.child, 'message');
    this.forgetTurns();
    this.poller = fork(join(process.cwd(), 'bench/attacks/poller.mjs'), [this.url]);
    favour(this.child, this.poller);
  }

  private sample(): void {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
      // The mark of the kernel misses no peak between two samples.
      const [, high = '0'] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
      this.peakRssMb = Math.max(this.peakRssMb, Math.round(Number(high) / 1024));
      if (this.peakRssMb > mostRssMb && this.death === null) {
        this.death = `ended by the test: ${this.peakRssMb} MB are resident`;
        this.child.kill('SIGKILL');
      }
      if (this.child.connected) this.child.send('read', () => undefined);
    } catch {
      // The process has just ended.
    }
  }

  /** Replies of /healthz since the last call. */
  async health(): Promise<Health> {
    if (!this.poller.connected) return { asked: 0, not_200: 0, slowest_ms: 0 };
    this.poller.send('read');
    const [health] = (await once(this.poller, 'message')) as [Health];
    return health;
  }

  /**
   * The longest unbroken stretch of the event loop since the start, in CPU time of its thread and time of the clock.
   */
  get longestTurn(): { cpu_ms: number; clock_ms: number } {
    return { cpu_ms: Math.round(this.loop.cpu_ms), clock_ms: Math.round(this.loop.clock_ms) };
  }

  forgetTurns(): void {
    this.loop = { cpu_ms: 0, clock_ms: 0 };
  }

  /** Lines of the log, and what Node said at the end, that contain the text. */
  lines(text: string): string[] {
    return this.output.split('\n').filter((line) => line.includes(text));
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.sample();
    this.stopping = true;
    clearInterval(this.sampling);
    if (this.poller?.connected) this.poller.disconnect();
    if (!this.isRunning) return;
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}

function causeIn(output: string): string {
  const [cause = output.slice(-300)] = /FATAL ERROR[^\n]*|RangeError[^\n]*|[A-Z]\w*Error: [^\n]*/.exec(output) ?? [];
  return cause;
}
