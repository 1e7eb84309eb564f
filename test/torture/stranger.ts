import { setTimeout as sleep } from 'node:timers/promises';
import { ApiUser } from '../replicas/api-user.js';
import type { HttpCaller } from '../replicas/http-caller.js';
import { strangerToken } from '../replicas/installation.js';
import type { TortureLedger } from './ledger.js';

const pauseMs = 1_000;
const query = 'query($uuid: ID!) { build(uuid: $uuid) { uuid } organization(slug: "acme") { slug } }';

/**
 * I16: an administrator of another organization, who looks for what is in `acme` all the time and must never find any
 * of it.
 */
export class Stranger {
  /** Replies that hold something of `acme`. */
  readonly disclosures: string[] = [];
  replies = 0;
  private readonly user: ApiUser;

  constructor(
    caller: HttpCaller,
    private readonly ledger: TortureLedger,
  ) {
    this.user = new ApiUser(caller, strangerToken);
  }

  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const build = this.ledger.builds.at(-1);
      if (build) await this.look(build);
      await sleep(pauseMs);
    }
  }

  private async look({ id, number, message }: TortureLedger['builds'][number]): Promise<void> {
    const ofAcme = '/organizations/acme';
    const hidden = [ofAcme, `${ofAcme}/pipelines/deploy/builds/${number}`, `${ofAcme}/teams`];
    for (const path of hidden) {
      const { status } = await this.user.rest('GET', path);
      this.judge(path, status === 404, status);
    }
    const { body } = await this.user.rest('GET', '/builds?per_page=100');
    this.judge('/builds', Array.isArray(body) && body.length === 0, body);
    const made = await this.user.rest(
      'POST',
      `${ofAcme}/pipelines/deploy/builds`,
      { commit: 'HEAD', branch: 'main', message },
      { 'Idempotency-Key': message },
    );
    this.judge('a repeated key', made.status === 404, made);
    const { data } = (await this.user.graphql(query, { uuid: id })).body;
    this.judge('GraphQL', data?.build === null && data.organization === null, data);
  }

  private judge(what: string, hidden: boolean, reply: unknown): void {
    this.replies += 1;
    if (!hidden) this.disclosures.push(`I16 ${what} answered ${JSON.stringify(reply).slice(0, 300)}`);
  }
}
