import { FakeProvider, type ProviderAnswer } from './fake-provider.js';

const notFound: ProviderAnswer = { status: 404, body: { message: '404 Not Found' } };

/**
 * GitLab. `isOld`: a version from before 2025, which refuses the state that a status has, and `skipped`. Two statuses
 * of a commit at once are a conflict.
 */
export const startGitlab = ({ isOld = false } = {}): Promise<FakeProvider> =>
  FakeProvider.start((fake, { method, path, headers, body, query }) => {
    if (headers['private-token'] !== 'glpat-1') return { status: 401, body: { message: '401 Unauthorized' } };
    if (path === '/api/v4/user') return { status: 200, body: { username: 'ci' } };
    if (path === '/api/v4/personal_access_tokens/self')
      return { status: 200, body: { scopes: ['api'], expires_at: '2030-01-31' } };
    if (path === '/api/v4/projects')
      return {
        status: 200,
        body: [
          {
            path_with_namespace: 'acme/sub/app',
            web_url: 'https://gitlab.com/acme/sub/app',
            http_url_to_repo: 'https://gitlab.com/acme/sub/app.git',
            default_branch: 'main',
          },
        ],
      };
    const [, project, rest] = /^\/api\/v4\/projects\/([^/]+)\/(.*)$/.exec(path) ?? [];
    if (project === undefined || rest === undefined) return notFound;
    if (rest === 'repository/branches')
      return { status: 200, body: [{ name: 'main', commit: { id: 'b'.repeat(40) } }] };
    if (rest === 'repository/commits') {
      const [after, upTo] = (query.get('ref_name') ?? '').split('..');
      const range = { upTo: upTo ?? null, after: after ?? null };
      const { rows } = fake.pageOfCommits(Number(query.get('page')), Number(query.get('per_page')), range);
      return { status: 200, body: rows.map(({ sha, parents }) => ({ id: sha, parent_ids: parents })) };
    }
    if (rest.startsWith('repository/commits/'))
      return { status: 200, body: { message: 'A change', author_name: 'Ada', author_email: 'ada@example.com' } };
    if (rest === 'hooks' && method === 'POST')
      return body.token && body.push_events
        ? { status: 201, body: { id: 5 } }
        : { status: 422, body: { message: 'Invalid' } };
    if (rest === 'hooks/5' && method === 'DELETE') return { status: 204 };
    const [, commit] = /^statuses\/([0-9a-f]+)$/.exec(rest) ?? [];
    if (commit === undefined) return notFound;
    const states = ['pending', 'running', 'success', 'failed', 'canceled', ...(isOld ? [] : ['skipped'])];
    if (!states.includes(body.state)) return { status: 400, body: { error: 'state does not have a valid value' } };
    const last = fake.statuses.findLast((each) => each.commit === commit && each.context === body.name);
    if (isOld && last?.state === body.state)
      return { status: 400, body: { message: `Cannot transition status via :enqueue from :${body.state}` } };
    fake.statuses.push({ repository: decodeURIComponent(project), commit, context: body.name, state: body.state });
    return { status: 201, body: { id: fake.statuses.length } };
  });

/** Gitea. `isOld`: a version from before 1.24, which has no state `skipped`. */
export const startGitea = ({ isOld = false } = {}): Promise<FakeProvider> =>
  FakeProvider.start((fake, { method, path, headers, body, query }) => {
    if (headers.authorization !== 'token gitea-1')
      return { status: 401, body: { message: 'invalid username, password or token' } };
    if (path === '/api/v1/user')
      return {
        status: 403,
        body: {
          message:
            'token does not have at least one of required scope(s), required=[read:user], token scope=write:repository',
        },
      };
    if (path === '/api/v1/repos/search')
      return {
        status: 200,
        body: {
          ok: true,
          data: [
            {
              full_name: 'acme/app',
              html_url: 'https://git.example.com/acme/app',
              clone_url: 'https://git.example.com/acme/app.git',
              default_branch: 'main',
              empty: false,
            },
          ],
        },
      };
    const [, repository, rest] = /^\/api\/v1\/repos\/([^/]+\/[^/]+)\/(.*)$/.exec(path) ?? [];
    if (repository === undefined || rest === undefined)
      return { status: 404, body: { message: "The target couldn't be found." } };
    if (rest === 'branches')
      return { status: 200, body: query.get('page') === '1' ? [{ name: 'main', commit: { id: 'c'.repeat(40) } }] : [] };
    if (rest === 'commits') {
      const range = { upTo: query.get('sha'), after: query.get('not') };
      // A server may be configured to shorter pages.
      const { rows } = fake.pageOfCommits(Number(query.get('page')), 30, range);
      const commits = rows.map(({ sha, parents }) => ({ sha, parents: parents.map((parent) => ({ sha: parent })) }));
      return { status: 200, body: commits };
    }
    if (rest.startsWith('git/commits/'))
      return {
        status: 200,
        body: { commit: { message: 'A change', author: { name: 'Ada', email: 'ada@example.com' } } },
      };
    if (rest === 'hooks' && method === 'POST')
      return body.type === 'gitea' && body.config.url
        ? { status: 201, body: { id: 9 } }
        : { status: 422, body: { message: 'Invalid hook type' } };
    if (rest === 'hooks/9' && method === 'DELETE') return { status: 204 };
    const [, commit] = /^statuses\/([0-9a-f]+)$/.exec(rest) ?? [];
    if (commit === undefined) return { status: 404, body: { message: "The target couldn't be found." } };
    const states = ['pending', 'success', 'error', 'failure', 'warning', ...(isOld ? [] : ['skipped'])];
    if (!states.includes(body.state)) return { status: 422, body: { message: '[State]: Invalid' } };
    fake.statuses.push({ repository, commit, context: body.context, state: body.state });
    return { status: 201, body: { id: fake.statuses.length, status: body.state } };
  });

const workspaceAccess = (slug: string) => ({
  type: 'workspace_access',
  administrator: false,
  workspace: { type: 'workspace_base', slug },
});
const forUsersOnly = {
  status: 403,
  body: { type: 'error', error: { message: 'This API is only accessible with user credentials' } },
};
const bitbucketRepository = (name: string, updatedOn: string) => ({
  full_name: name,
  updated_on: updatedOn,
  mainbranch: { name: 'main' },
  links: {
    html: { href: `https://bitbucket.org/${name}` },
    clone: [{ name: 'https', href: `https://bitbucket.org/${name}.git` }],
  },
});
const bitbucketRepositories = [
  bitbucketRepository('acme/app', '2026-01-02T00:00:00Z'),
  bitbucketRepository('beta/app', '2026-01-03T00:00:00Z'),
];

/** Bitbucket Cloud, which lists repositories by workspace only, and workspaces to user credentials only. */
export const startBitbucket = (): Promise<FakeProvider> =>
  FakeProvider.start((fake, { method, path, headers, body, query }) => {
    const basic = `Basic ${Buffer.from('ada:app-password').toString('base64')}`;
    if (headers.authorization !== 'Bearer bb-1' && headers.authorization !== basic)
      return { status: 401, body: { type: 'error', error: { message: 'Token is invalid' } } };
    const scopes = { 'x-oauth-scopes': 'repository, webhook' };
    if (path === '/2.0/user')
      return headers.authorization === basic
        ? { status: 200, body: { nickname: 'ada' }, headers: scopes }
        : { ...forUsersOnly, headers: scopes };
    if (path === '/2.0/user/workspaces')
      return headers.authorization === basic
        ? { status: 200, body: { values: [workspaceAccess('acme'), workspaceAccess('beta')] } }
        : forUsersOnly;
    const [, workspace] = /^\/2\.0\/repositories\/(\w+)$/.exec(path) ?? [];
    const [, searched = ''] = /^full_name~"([^"]*)"$/.exec(query.get('q') ?? '') ?? [];
    if (workspace !== undefined)
      return {
        status: 200,
        body: {
          values: bitbucketRepositories.filter(
            ({ full_name: name }) => name.startsWith(`${workspace}/`) && name.includes(searched),
          ),
        },
      };
    const [, name, rest] = /^\/2\.0\/repositories\/([^/]+\/[^/]+)\/(.*)$/.exec(path) ?? [];
    if (name === undefined || rest === undefined)
      return { status: 404, body: { type: 'error', error: { message: 'Resource not found' } } };
    if (rest === 'refs/branches')
      return query.get('page') === '1'
        ? { status: 200, body: { values: [{ name: 'main', target: { hash: 'd'.repeat(40) } }], next: 'https://more' } }
        : { status: 200, body: { values: [{ name: 'next', target: { hash: 'e'.repeat(40) } }] } };
    if (rest === 'commits') {
      const range = { upTo: query.get('include'), after: query.get('exclude') };
      const { rows, isLast } = fake.pageOfCommits(Number(query.get('page')), Number(query.get('pagelen')), range);
      const values = rows.map(({ sha, parents }) => ({ hash: sha, parents: parents.map((hash) => ({ hash })) }));
      return { status: 200, body: { values, ...(isLast ? {} : { next: 'https://more' }) } };
    }
    if (rest === 'hooks' && method === 'POST') return { status: 201, body: { uuid: '{1f}' } };
    if (rest === 'hooks/%7B1f%7D' && method === 'DELETE') return { status: 204 };
    const [, commit] = /^commit\/([0-9a-f]+)\/statuses\/build$/.exec(rest) ?? [];
    if (commit === undefined && rest.startsWith('commit/'))
      return { status: 200, body: { message: 'A change', author: { raw: 'Ada <ada@example.com>' } } };
    if (commit === undefined) return { status: 404, body: { type: 'error', error: { message: 'Resource not found' } } };
    if (body.key.length > 40)
      return {
        status: 400,
        body: {
          type: 'error',
          error: { fields: { key: ['Ensure this value has at most 40 characters'] }, message: 'Bad request' },
        },
      };
    if (!body.url || !['INPROGRESS', 'SUCCESSFUL', 'FAILED', 'STOPPED'].includes(body.state))
      return { status: 400, body: { type: 'error', error: { message: 'Bad request' } } };
    fake.statuses.push({ repository: name, commit, context: body.key, state: body.state });
    return { status: 201, body: { key: body.key } };
  });

/** Bitbucket Data Center. `isOld`: a version from before 7.4, which has statuses of commits only. */
export const startBitbucketServer = ({ isOld = false } = {}): Promise<FakeProvider> =>
  FakeProvider.start((fake, { method, path, headers, body, query }) => {
    if (headers.authorization !== 'Bearer dc-1')
      return { status: 401, body: { errors: [{ message: 'Authentication failed. Please check your credentials' }] } };
    if (path === '/rest/api/latest/repos')
      return {
        status: 200,
        headers: { 'x-ausername': 'ci' },
        body: {
          values: [
            {
              slug: 'app',
              project: { key: 'ACME' },
              links: {
                clone: [{ name: 'http', href: 'https://stash.example.com/scm/acme/app.git' }],
                self: [{ href: 'https://stash.example.com/projects/ACME/repos/app/browse' }],
              },
            },
          ],
        },
      };
    const [, old] = /^\/rest\/build-status\/1\.0\/commits\/([0-9a-f]+)$/.exec(path) ?? [];
    if (isOld && old !== undefined) {
      if (!['INPROGRESS', 'SUCCESSFUL', 'FAILED'].includes(body.state))
        return { status: 400, body: { errors: [{ message: 'Invalid state' }] } };
      fake.statuses.push({ repository: '', commit: old, context: body.key, state: body.state });
      return { status: 204 };
    }
    const [, project, slug, rest] = /^\/rest\/api\/latest\/projects\/([^/]+)\/repos\/([^/]+)\/(.*)$/.exec(path) ?? [];
    if (project === undefined || rest === undefined)
      return { status: 404, body: { errors: [{ message: 'not found' }] } };
    if (rest === 'branches')
      return { status: 200, body: { values: [{ displayId: 'main', latestCommit: 'f'.repeat(40) }], isLastPage: true } };
    if (rest === 'commits') {
      const size = Number(query.get('limit'));
      const range = { upTo: query.get('until'), after: query.get('since') };
      const { rows, isLast } = fake.pageOfCommits(Number(query.get('start')) / size + 1, size, range);
      const values = rows.map(({ sha, parents }) => ({ id: sha, parents: parents.map((id) => ({ id })) }));
      return { status: 200, body: { values, isLastPage: isLast } };
    }
    if (rest === 'webhooks' && method === 'POST')
      return body.configuration?.secret
        ? { status: 201, body: { id: 3 } }
        : { status: 400, body: { errors: [{ message: 'no' }] } };
    if (rest === 'webhooks/3' && method === 'DELETE') return { status: 204 };
    const [, commit] = /^commits\/([0-9a-f]+)\/builds$/.exec(rest) ?? [];
    if (commit === undefined && rest.startsWith('commits/'))
      return { status: 200, body: { message: 'A change', author: { name: 'ada', emailAddress: 'ada@example.com' } } };
    if (commit === undefined || isOld) return { status: 404, body: { errors: [{ message: 'null for uri' }] } };
    if (!['INPROGRESS', 'SUCCESSFUL', 'FAILED', 'CANCELLED', 'UNKNOWN'].includes(body.state))
      return { status: 400, body: { errors: [{ message: 'Invalid state' }] } };
    fake.statuses.push({ repository: `${project}/${slug}`, commit, context: body.key, state: body.state });
    return { status: 204 };
  });
