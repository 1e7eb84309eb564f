import { z } from 'zod';
import type { ProviderRepository } from '../../services/source-providers.js';
import type { ProviderApi } from '../provider-api.js';
import { RepositorySearch } from '../repository-search.js';
import type { GithubApp } from './app.js';

const perPage = 100;
const pagesAtMost = 10;
const installationsAtMost = 20;

const repository = z.object({
  full_name: z.string(),
  html_url: z.string(),
  clone_url: z.string(),
  default_branch: z.string().nullish(),
});
const installations = z.array(z.object({ id: z.number() }));

const shown = (each: z.output<typeof repository>): ProviderRepository => ({
  fullName: each.full_name,
  htmlUrl: each.html_url,
  cloneUrl: each.clone_url,
  defaultBranch: each.default_branch ?? null,
});

/** Repositories that a token reaches, those with the newest pushes first. */
export async function repositoriesOfToken(api: ProviderApi, search: string | null): Promise<ProviderRepository[]> {
  const matches = new RepositorySearch(search);
  for (let page = 1; page <= pagesAtMost && !matches.isFull; page += 1) {
    const rows = await api.get(z.array(repository), `/user/repos?sort=pushed&per_page=${perPage}&page=${page}`);
    matches.add(rows.map(shown));
    if (rows.length < perPage) break;
  }
  return matches.repositories;
}

/** Repositories that an App is installed on. */
export async function repositoriesOfApp(app: GithubApp, search: string | null): Promise<ProviderRepository[]> {
  const matches = new RepositorySearch(search);
  const all = await app.api.get(installations, `/app/installations?per_page=${perPage}`);
  for (const { id } of all.slice(0, installationsAtMost)) {
    const api = app.installationApi(id);
    for (let page = 1; page <= pagesAtMost && !matches.isFull; page += 1) {
      const path = `/installation/repositories?per_page=${perPage}&page=${page}`;
      const rows = (await api.get(z.object({ repositories: z.array(repository) }), path)).repositories;
      matches.add(rows.map(shown));
      if (rows.length < perPage) break;
    }
  }
  return matches.repositories;
}
