import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../support/program.js';

export const userToken = 'a-user-token-of-twenty-characters';
export const agentToken = 'an-agent-token-of-acme-for-faults';

const provisioning = `users:
  - {email: ada@example.com, name: Ada}
organizations:
  - slug: acme
    name: Acme
    default_cluster: Default
    members: [{user: ada@example.com, role: admin}]
    clusters: [{name: Default, queues: [{key: default}], default_queue: default, agent_tokens: [{description: agents, token: ${agentToken}}]}]
api_tokens:
  - {user: ada@example.com, description: ci, token: ${userToken}, scopes: all, organizations: all}
`;

/** One `slipway serve` as its own process, which a test may kill and start again on the same data. */
export class Replica {
  url = '';
  private program: Program | null = null;

  private constructor(private readonly args: string[], private readonly env: Record<string, string>) {}

  /** Starts a process that serves `acme` from the database and data directory that `env` names. */
  static async start(directory: string, env: Record<string, string>): Promise<Replica> {
    const path = join(directory, 'slipway.yaml');
    writeFileSync(path, provisioning);
    const common = { PORT: '0', RATE_LIMIT_ORGANIZATION: '0', RATE_LIMIT_USER: '0', SECRET_KEY: 'a-secret-key-of-the-tests-that-is-long-enough' };
    const replica = new Replica(['serve', '--apply', path], { ...common, ...env });
    await replica.restart();
    return replica;
  }

  async restart(): Promise<void> {
    this.url = '';
    this.program = Program.start(this.args, this.env);
    this.url = (await this.program.until(/"url":"(http:[^"]+)"/))[1] ?? '';
  }

  /** The way a machine fails: nothing is said to anybody. */
  async kill(): Promise<void> {
    this.url = '';
    await this.program?.stop('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.program?.stop();
  }

  /** Lines of the log at level error. */
  errors(): string[] {
    return (this.program?.stdout ?? '').split('\n').filter((line) => line.includes('"level":"error"') || line.includes('"level":50'));
  }
}
