import type { BothSurfaces, Data } from './both-surfaces.js';

/** A suite of `acme` with its upload token. */
export async function newSuite(
  surfaces: BothSurfaces,
  name: string,
): Promise<{ id: string; slug: string; token: string; authorization: string; path: string }> {
  const reply = await surfaces.read([
    'post',
    '/analytics/organizations/acme/suites',
    { name, default_branch: 'main', show_api_token: true },
  ]);
  return {
    id: reply.id,
    slug: reply.slug,
    token: reply.api_token,
    authorization: `Token token="${reply.api_token}"`,
    path: `/analytics/organizations/acme/suites/${reply.slug}`,
  };
}

/** One result as collectors send it. */
export const result = (name: string, over: object = {}) => ({
  scope: 'a scope',
  name,
  result: 'passed',
  history: { section: 'top', start_at: 1, end_at: 1.5, duration: 0.5 },
  ...over,
});

/** Sends results as JSON; the answer must be 202. */
export async function upload(
  surfaces: BothSurfaces,
  authorization: string,
  key: string,
  data: readonly object[],
  over: { runEnv?: object; [name: string]: unknown } = {},
): Promise<Data> {
  const { runEnv, ...rest } = over;
  const reply = await surfaces
    .collector(authorization)
    .send({ format: 'json', run_env: { key, ...runEnv }, data, ...rest });
  if (reply.status !== 202) throw new Error(`${reply.status} ${reply.text}`);
  return reply.body;
}
