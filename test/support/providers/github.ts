import { generateKeyPairSync, verify } from 'node:crypto';
import { FakeProvider, type ProviderAnswer, type ProviderRequest } from './fake-provider.js';

export const githubToken = 'ghp_a_token_of_the_fake_provider';
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** As GitHub hands keys out. */
export const appKey = keys.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
const statusesOfOneContext = 1_000;

/** GitHub: statuses, branches, repositories, and an App with one installation on the repositories of `acme`. */
export const startGithub = (now: () => Date = () => new Date()): Promise<FakeProvider> => {
  let minted = 0;
  const tokens = new Map<string, number>();
  return FakeProvider.start((fake, request) => answer(fake, request));

  function answer(fake: FakeProvider, request: ProviderRequest): ProviderAnswer {
    const { method, path, headers, body, query } = request;
    const credential = (headers.authorization ?? '').replace(/^Bearer /, '');
    const isApp = credential.split('.').length === 3;
    if (isApp && !isGoodJwt(credential, now()))
      return { status: 401, body: { message: 'A JSON web token could not be decoded' } };
    if (!isApp && credential !== githubToken && !((tokens.get(credential) ?? 0) > now().getTime()))
      return { status: 401, body: { message: 'Bad credentials' } };
    if (isApp) {
      if (path === '/app')
        return { status: 200, body: { name: 'Slipway', permissions: { statuses: 'write', metadata: 'read' } } };
      if (path === '/app/installations') return { status: 200, body: [{ id: 7 }] };
      if (path === '/repos/acme/app/installation') return { status: 200, body: { id: 7 } };
      if (/^\/repos\/.*\/installation$/.test(path)) return { status: 404, body: { message: 'Not Found' } };
      if (method === 'POST' && path === '/app/installations/7/access_tokens') {
        minted += 1;
        const token = `ghs_${minted}${body.repositories ? `_${body.repositories.join()}` : ''}`;
        tokens.set(token, now().getTime() + 3600_000);
        return { status: 201, body: { token, expires_at: new Date(now().getTime() + 3600_000).toISOString() } };
      }
      return { status: 403, body: { message: 'Resource not accessible by integration' } };
    }
    const limits = {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '4990',
      'x-ratelimit-used': '10',
      'x-ratelimit-reset': '1900000000',
    };
    if (path === '/user')
      return {
        status: 200,
        body: { login: 'octo' },
        headers: { ...limits, 'x-oauth-scopes': 'repo:status, read:org' },
      };
    const repository = {
      full_name: 'acme/app',
      html_url: 'https://github.com/acme/app',
      clone_url: 'https://github.com/acme/app.git',
      default_branch: 'main',
    };
    if (path === '/user/repos') return { status: 200, body: [repository, { ...repository, full_name: 'acme/other' }] };
    if (path === '/installation/repositories') return { status: 200, body: { repositories: [repository] } };
    if (path === '/repos/acme/app/branches')
      return { status: 200, body: [{ name: 'main', commit: { sha: 'a'.repeat(40) } }] };
    if (path === '/repos/acme/app/commits') {
      const { rows } = fake.pageOfCommits(Number(query.get('page')), Number(query.get('per_page')), {
        upTo: query.get('sha'),
      });
      const body = rows.map(({ sha, parents }) => ({ sha, parents: parents.map((parent) => ({ sha: parent })) }));
      return { status: 200, body };
    }
    const [, name, commit] = /^\/repos\/([^/]+\/[^/]+)\/statuses\/([0-9a-f]+)$/.exec(path) ?? [];
    if (name === undefined || commit === undefined) return { status: 404, body: { message: 'Not Found' } };
    if (commit.startsWith('0')) return { status: 422, body: { message: `No commit found for SHA: ${commit}` } };
    if (!['error', 'failure', 'pending', 'success'].includes(body.state))
      return { status: 422, body: { message: 'Validation Failed' } };
    if ((body.description ?? '').length > 140)
      return {
        status: 422,
        body: {
          message: 'Validation Failed',
          errors: [{ message: 'description is too long (maximum is 140 characters)' }],
        },
      };
    const same = fake.statuses.filter((each) => each.commit === commit && each.context === body.context);
    if (same.length >= statusesOfOneContext)
      return {
        status: 422,
        body: {
          message: 'Validation Failed',
          errors: ['This SHA and context has reached the maximum number of statuses.'],
        },
      };
    fake.statuses.push({ repository: name, commit, context: body.context, state: body.state });
    return { status: 201, body: { id: fake.statuses.length }, headers: limits };
  }
};

/** The rules that GitHub states for the tokens of Apps. */
function isGoodJwt(token: string, now: Date): boolean {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const seconds = now.getTime() / 1000;
  const { iat, exp, iss } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, number>;
  return (
    verify('sha256', Buffer.from(`${header}.${payload}`), keys.publicKey, Buffer.from(signature, 'base64url')) &&
    String(iss) === '12345' &&
    (iat ?? Infinity) <= seconds &&
    (exp ?? Infinity) <= seconds + 600 &&
    (exp ?? 0) > seconds
  );
}
