import { z } from 'zod';
import { ProviderRefusal, type ProviderRepository } from '../../services/source-providers.js';
import { type ProviderApi, waitedForMs } from '../provider-api.js';
import { RepositorySearch } from '../repository-search.js';

const perPage = 100;
const searchByWorkspace =
  'A token of a repository or workspace lists those of a workspace that the search names, such as acme/';
/** Workspaces of one account whose repositories are listed: a request each, all at once. */
const workspacesAtMost = 10;

const workspaceList = z.object({ values: z.array(z.object({ workspace: z.object({ slug: z.string() }) })) });
const repositoryList = z.object({
  values: z.array(
    z.object({
      full_name: z.string(),
      updated_on: z.string().nullish(),
      mainbranch: z.object({ name: z.string() }).nullish(),
      links: z.object({
        html: z.object({ href: z.string() }),
        clone: z.array(z.object({ name: z.string(), href: z.string() })).default([]),
      }),
    }),
  ),
});

/**
 * Lists the repositories that a credential reads, those changed last first. Since 2026 Bitbucket lists them by
 * workspace only. A `search` such as `acme/app` names the workspace. Without a slash the account's workspaces are asked
 * for, which tokens of a repository or workspace may not do: the refusal says so.
 */
export async function listRepositories(api: ProviderApi, search: string | null): Promise<ProviderRepository[]> {
  const workspace = search?.includes('/') ? search.split('/')[0] : '';
  const slugs = workspace ? [workspace] : await workspacesOf(api);
  const pages = await Promise.all(slugs.map((slug) => repositoriesOf(api, slug, search)));
  const rows = pages.flat().sort((a, b) => (b.updated_on ?? '').localeCompare(a.updated_on ?? ''));
  const matches = new RepositorySearch(search);
  matches.add(
    rows.map(({ full_name: fullName, mainbranch, links }) => ({
      fullName,
      htmlUrl: links.html.href,
      cloneUrl: links.clone.find(({ name: protocol }) => protocol === 'https')?.href ?? `${links.html.href}.git`,
      defaultBranch: mainbranch?.name ?? null,
    })),
  );
  return matches.repositories;
}

async function workspacesOf(api: ProviderApi): Promise<string[]> {
  const path = `/user/workspaces?pagelen=${workspacesAtMost}`;
  const reply = await api.send({ method: 'GET', path, timeoutMs: waitedForMs });
  if (reply.status !== 200) {
    const { reason, facts, rateLimit } = api.refusal(reply);
    const isOfNobody = reply.status === 403 || reply.status === 404;
    throw new ProviderRefusal(isOfNobody ? `${reason}. ${searchByWorkspace}` : reason, facts, rateLimit);
  }
  return api.read(workspaceList, reply).values.map(({ workspace }) => workspace.slug);
}

async function repositoriesOf(api: ProviderApi, workspace: string, search: string | null) {
  const query = search ? `&q=${encodeURIComponent(`full_name~${JSON.stringify(search)}`)}` : '';
  const path = `/repositories/${encodeURIComponent(workspace)}?role=member&sort=-updated_on&pagelen=${perPage}${query}`;
  const { values } = await api.get(repositoryList, path, { timeoutMs: waitedForMs });
  return values;
}
