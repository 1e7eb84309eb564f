import { providerFromUrl } from '../../../src/domain/integrations/provider.js';
import { parseRepositoryUrl, repositoryUrlProblem } from '../../../src/domain/pipelines/repository-url.js';

test.each([
  ['git@github.com:acme/app.git', 'github', 'acme/app'],
  ['https://github.com/acme/app', 'github', 'acme/app'],
  ['https://github.com/acme/app.git/', 'github', 'acme/app'],
  ['ssh://git@github.com/acme/app.git', 'github', 'acme/app'],
  ['ssh://git@ssh.github.com:443/acme/app.git', 'github', 'acme/app'],
  ['git://github.com/acme/app.git', 'github', 'acme/app'],
  ['https://x-token:secret@GitHub.com/acme/app.git', 'github', 'acme/app'],
  ['git@github.acme.com:a/b.git', 'github_enterprise', 'a/b'],
  ['https://git.github-acme.com/a/b', 'github_enterprise', 'a/b'],
  ['git@gitlab.com:group/sub/app.git', 'gitlab', 'group/sub/app'],
  ['https://gitlab.acme.com/a/b.git', 'gitlab_ee', 'a/b'],
  ['git@bitbucket.org:foo/bar.git', 'bitbucket', 'foo/bar'],
  ['https://user@bitbucket.org/foo/bar.git', 'bitbucket', 'foo/bar'],
  ['ssh://git@git.acme.com:7999/proj/app.git', 'bitbucket_server', 'proj/app'],
  ['https://git.acme.com/scm/proj/app.git', 'bitbucket_server', 'proj/app'],
  ['https://acme.com/stash/scm/proj/app.git', 'bitbucket_server', 'proj/app'],
  ['https://bitbucket.acme.com/scm/proj/app.git', 'bitbucket_server', 'proj/app'],
  ['https://codeberg.org/a/b.git', 'git', 'a/b'],
  ['http://localhost:3000/a/b.git', 'git', 'a/b'],
  ['deploy@[::1]:a/b.git', 'git', 'a/b'],
  ['host:repo.git', 'git', 'repo'],
  ['file:///srv/git/app.git', 'git', 'app'],
  ['/home/me/src/app', 'git', 'app'],
  ['/home/me/src/app/.git', 'git', 'app'],
  ['~/src/app', 'git', 'app'],
  ['C:\\src\\app', 'git', 'app'],
  ['../app.git', 'git', 'app'],
  ['git@notgithub.com:a/b.git', 'git', 'a/b'],
  ['https://github.com.evil.example/a/b', 'github_enterprise', 'a/b'],
  ['what is this', 'git', 'what is this'],
])('the repository URL %s belongs to %s as %s', (url, id, repository) =>
  expect(providerFromUrl(url)).toEqual({ id, repository }),
);

test.each([
  ['', /blank/],
  ['  ', /blank/],
  ['--upload-pack=touch /tmp/x', /not a repository/],
  ['-oProxyCommand=x', /not/],
  ['ext::sh -c id', /not/],
  ['fd::17', /not/],
  ['https://', /not/],
  ['https://github.com', /not/],
  ['https://github.com/', /not/],
  ['ssh://-oProxyCommand=x/a', /not/],
  ['git@-oProxyCommand=x:a/b', /not/],
  ['javascript://x/y', /not/],
  ['ftp://host/a', /not/],
  ['just words', /not/],
  ['name', /not/],
  ['/', /not/],
  ['file:///', /not/],
  ['git@github.com:a\nb', /not/],
  [`https://a/${'x'.repeat(3_000)}`, /not/],
])('the repository URL %j is refused', (url, problem) => expect(repositoryUrlProblem(url)).toMatch(problem));

test('a repository URL is split into its parts', () => {
  expect(parseRepositoryUrl('ssh://git@Host.example:2222/a/b.git')).toEqual({
    form: 'ssh',
    host: 'host.example',
    port: 2222,
    path: 'a/b',
  });
  expect(parseRepositoryUrl('git@host:/abs/b.git')).toEqual({ form: 'scp', host: 'host', port: null, path: 'abs/b' });
  expect(parseRepositoryUrl('file:///srv/a.git')).toEqual({ form: 'file', host: null, port: null, path: 'srv/a' });
  expect(repositoryUrlProblem('git@github.com:acme/app.git')).toBeNull();
});
