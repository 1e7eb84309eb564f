import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../support/program.js';

export const userToken = 'a-user-token-of-twenty-characters';
/** Token of the only user of `globex`, an organization beside `acme`. */
export const strangerToken = 'a-strangers-token-of-twenty-characters';
export const secretKey = 'a-secret-key-of-the-tests-that-is-long-enough';
export const agentToken = 'an-agent-token-of-acme-for-faults';

const provisioning = `users:
  - {email: ada@example.com, name: Ada}
  - {email: bob@example.com, name: Bob}
organizations:
  - slug: acme
    name: Acme
    default_cluster: Default
    members: [{user: ada@example.com, role: admin}]
    clusters: [{name: Default, queues: [{key: default}], default_queue: default, agent_tokens: [{description: agents, token: ${agentToken}}]}]
  - slug: globex
    name: Globex
    members: [{user: bob@example.com, role: admin}]
api_tokens:
  - {user: bob@example.com, description: bob, token: ${strangerToken}, scopes: all, organizations: all}
  - {user: ada@example.com, description: ci, token: ${userToken}, scopes: all, organizations: all}
`;

/** A machine with other things to do takes minutes to compile the program and the embedded database. */
const startPatienceMs = 180_000;

/** One `slipway serve` as its own process, which a test may kill and start again on the same data. */
export class Replica {
  url = '';
  private program: Program | null = null;

  private constructor(
    private readonly args: string[],
    private readonly env: Record<string, string>,
    private readonly nodeArguments: readonly string[],
    private readonly main: string | undefined,
  ) {}

  /**
   * Starts a process that serves `acme` from the database and data directory that `env` names; `main` is the program,
   * the sources' own where absent.
   */
  static async start(
    directory: string,
    env: Record<string, string>,
    nodeArguments: readonly string[] = [],
    main?: string,
  ): Promise<Replica> {
    const path = join(directory, 'slipway.yaml');
    writeFileSync(path, provisioning);
    const common = { PORT: '0', RATE_LIMIT_ORGANIZATION: '0', RATE_LIMIT_USER: '0', SECRET_KEY: secretKey };
    const replica = new Replica(['serve', '--apply', path], { ...common, ...env }, nodeArguments, main);
    await replica.restart();
    return replica;
  }

  async restart(): Promise<void> {
    this.url = '';
    const program = Program.start(this.args, this.env, this.nodeArguments, undefined, undefined, this.main);
    this.program = program;
    try {
      this.url = (await program.until(/"url":"(http:[^"]+)"/, startPatienceMs))[1] ?? '';
    } catch (error) {
      // Who started it gets no replica to stop it by.
      await program.stop('SIGKILL');
      throw error;
    }
  }

  /** The way a machine fails: nothing is said to anybody. */
  async kill(): Promise<void> {
    this.url = '';
    await this.program?.stop('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.program?.stop();
  }

  /** The id of its process; 0 before the first start. */
  get pid(): number {
    return this.program?.child.pid ?? 0;
  }

  /** Lines of the log at level error. */
  errors(): string[] {
    return (this.program?.stdout ?? '')
      .split('\n')
      .filter((line) => line.includes('"level":"error"') || line.includes('"level":50'));
  }
}
