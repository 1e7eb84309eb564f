import { setTimeout as sleep } from 'node:timers/promises';
import { ApiUser } from '../replicas/api-user.js';
import type { HttpCaller } from '../replicas/http-caller.js';
import type { TortureLedger } from './ledger.js';

/**
 * Creates builds, annotations and teams and sends what is refused, each under an idempotency key until it is answered.
 */
export class Writer {
  private readonly user: ApiUser;
  private writes = 0;

  constructor(
    private readonly name: string,
    caller: HttpCaller,
    private readonly ledger: TortureLedger,
    private readonly unfinishedBuilds: () => number,
  ) {
    this.user = new ApiUser(caller);
  }

  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      this.writes += 1;
      const message = `${this.name}-${this.writes}`;
      if (this.writes % 10 === 0) await this.refuse(message);
      else if (this.writes % 7 === 0) await this.team(message);
      else if (this.writes % 3 === 0 && this.unfinishedBuilds() < 8) await this.build(message);
      else await this.annotate(message);
      await sleep(5);
    }
  }

  private async build(message: string): Promise<void> {
    const { id, number } = await this.user.build('deploy', message);
    this.ledger.builds.push({ id, number, message });
  }

  private async annotate(message: string): Promise<void> {
    const build = this.ledger.builds.at(-1);
    if (!build) return;
    const text = `[${message}]`;
    const path = `/organizations/acme/pipelines/deploy/builds/${build.number}/annotations`;
    const { status } = await this.user.rest(
      'POST',
      path,
      { body: text, context: this.name, append: true },
      { 'Idempotency-Key': message },
    );
    if (status === 201) this.ledger.notes.push({ build: build.id, text });
  }

  /** Two privileged changes, which have an audit row each: a team is created and deleted. */
  private async team(name: string): Promise<void> {
    const path = '/organizations/acme/teams';
    const made = await this.user.rest('POST', path, { name }, { 'Idempotency-Key': name });
    if (made.status !== 201) throw new Error(`creating a team answered ${made.status}: ${JSON.stringify(made.body)}`);
    const key = { 'Idempotency-Key': `${name}-delete` };
    const deleted = await this.user.rest('DELETE', `${path}/${made.body.id}`, undefined, key);
    if (deleted.status !== 204) throw new Error(`deleting a team answered ${deleted.status}`);
    this.ledger.teams.push(name);
  }

  /** A build without a branch. */
  private async refuse(message: string): Promise<void> {
    const { status } = await this.user.rest(
      'POST',
      '/organizations/acme/pipelines/deploy/builds',
      { commit: 'HEAD', message },
      { 'Idempotency-Key': message },
    );
    if (status >= 400 && status < 500) this.ledger.refused.push(message);
    else throw new Error(`a build without a branch was answered ${status}`);
  }
}
