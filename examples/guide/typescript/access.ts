import { call, graphql, organization, read, root } from './slipway.js';

const { scopes } = await read<{ scopes: string[] }>(await call(`${root}/access-token`));
console.log(scopes.includes('read_builds'));
const builds = await call(`${organization}/builds`);
console.log(builds.headers.get('X-Accepted-OAuth-Scopes'));
const { data } = await graphql<{ viewer: { user: { email: string } } }>('{ viewer { user { email } } }');
console.log(data?.viewer.user.email);
