import { z } from 'zod';
import type { Services } from '../../context.js';
import { providerFromUrl } from '../../domain/provider.js';
import type { JsonObject } from '../../domain/steps/step.js';
import type { PipelineRow, Row } from '../../entities/database.js';
import { unseal } from '../../auth/sealed.js';
import { connectionPurpose } from '../commit-statuses/publish.js';

const perPage = 100;
const pagesAtMost = 20;
const replyBytes = 4 * 1024 * 1024;

const branches = z.array(z.object({ name: z.string(), commit: z.object({ sha: z.string() }) }));
const person = z.object({ name: z.string().nullish(), email: z.string().nullish() }).nullish();
const commitReply = z.object({ sha: z.string(), commit: z.object({ message: z.string(), author: person }) });

/** The API of one pipeline's repository at its provider. */
export class RepositoryApi {
  private readonly root: string;
  readonly repository: string;

  constructor(
    private readonly services: Services,
    private readonly connection: Row<'provider_connections'>,
    pipeline: Pick<PipelineRow, 'repository'>,
  ) {
    this.repository = providerFromUrl(pipeline.repository).repository;
    this.root = `${connection.apiUrl}/repos/${this.repository}`;
  }

  /** The commit each branch stands on; at most 2,000 branches. Throws where the provider does not answer as it should. */
  async heads(): Promise<Record<string, string>> {
    const heads: Record<string, string> = {};
    for (let page = 1; page <= pagesAtMost; page += 1) {
      const rows = branches.parse(await this.get(`/branches?per_page=${perPage}&page=${page}`));
      for (const { name, commit } of rows) heads[name] = commit.sha;
      if (rows.length < perPage) break;
    }
    return heads;
  }

  /** A push of a branch to a commit, as the provider would have delivered it. */
  async pushOf({ branch, commit, before }: { branch: string; commit: string; before: string | null }): Promise<JsonObject> {
    const found = commitReply.parse(await this.get(`/commits/${encodeURIComponent(commit)}`));
    const { message, author } = found.commit;
    return {
      ref: `refs/heads/${branch}`,
      before: before ?? '0'.repeat(40),
      after: commit,
      created: before === null,
      deleted: false,
      repository: { full_name: this.repository },
      head_commit: { id: commit, message, author: { name: author?.name ?? null, email: author?.email ?? null } },
    };
  }

  private async get(path: string): Promise<unknown> {
    const token = unseal(this.services.secretKey, connectionPurpose, this.connection.token);
    if (token === null) throw new Error('the token of the connection cannot be read');
    const reply = await this.services.outbound.send({ method: 'GET', url: this.root + path, headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' }, replyBytes });
    if (reply.status !== 200) throw new Error(`the provider answered ${reply.status}`);
    return JSON.parse(reply.body) as unknown;
  }
}
