import { call, graphql, organization, read } from './slipway.js';

const numbers: number[] = [];
for (let next: string | undefined = `${organization}/pipelines/guide/builds?per_page=2`; next; ) {
  const reply: Response = await call(next);
  numbers.push(...(await read<{ number: number }[]>(reply)).map(({ number }) => number));
  next = /<([^>]+)>; rel="next"/.exec(reply.headers.get('Link') ?? '')?.[1];
}
console.log(numbers.join(' '));

interface Page {
  pipeline: { builds: { pageInfo: { hasNextPage: boolean; endCursor: string }; edges: { node: { number: number } }[] } };
}
const query = `query ($after: String) { pipeline(slug: "demo/guide") {
  builds(first: 2, after: $after) { pageInfo { hasNextPage endCursor } edges { node { number } } } } }`;
const same: number[] = [];
for (let after: string | null = null, more = true; more; ) {
  const { builds }: Page['pipeline'] = (await graphql<Page>(query, { after })).data!.pipeline;
  same.push(...builds.edges.map(({ node }) => node.number));
  ({ hasNextPage: more, endCursor: after } = builds.pageInfo);
}
console.log(same.join(' '));
