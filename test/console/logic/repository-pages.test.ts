import { describe, expect, test } from 'vitest';
import { commitPage, comparePage, repositoryPages } from '../../../src/console/pages/build/repository-pages';

const sha = 'a'.repeat(40);
const later = 'b'.repeat(40);

describe('pages of a repository at its source provider', () => {
  test.each([
    ['git@github.com:acme/app.git', 'Github', `https://github.com/acme/app/commit/${sha}`],
    ['https://token@github.com/acme/app', 'Github', `https://github.com/acme/app/commit/${sha}`],
    ['ssh://git@ghe.acme.test:2222/acme/app.git', 'GithubEnterprise', `https://ghe.acme.test/acme/app/commit/${sha}`],
    [
      'http://gitlab.acme.test:8080/a/b/c.git',
      'GitlabEnterprise',
      `http://gitlab.acme.test:8080/a/b/c/-/commit/${sha}`,
    ],
    ['git@bitbucket.org:acme/app.git', 'Bitbucket', `https://bitbucket.org/acme/app/commits/${sha}`],
    [
      'ssh://git@bitbucket.acme.test:7999/SHOP/app.git',
      'BitbucketServer',
      `https://bitbucket.acme.test/projects/SHOP/repos/app/commits/${sha}`,
    ],
    [
      'https://acme.test/bitbucket/scm/~ada/app.git',
      'BitbucketServer',
      `https://acme.test/bitbucket/users/ada/repos/app/commits/${sha}`,
    ],
    ['git@example.com:acme/app.git', 'Unknown', null],
    ['/srv/git/app.git', 'Github', null],
    ['javascript:alert(1)//x', 'Unknown', null],
  ])('of %s', (url, provider, commit) => {
    expect(commitPage(repositoryPages(url, `RepositoryProvider${provider}`), sha)).toBe(commit);
  });

  test('a word that is no commit leads nowhere, nor does a comparison of a commit with itself', () => {
    const pages = repositoryPages('git@github.com:acme/app.git', 'RepositoryProviderGithub');
    expect([commitPage(pages, 'HEAD'), comparePage(pages, sha, sha), comparePage(pages, 'HEAD', sha)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(comparePage(pages, sha, later)).toBe(`https://github.com/acme/app/compare/${sha}...${later}`);
    expect(pages?.pullRequest('7')).toBe('https://github.com/acme/app/pull/7');
  });

  test('whatever a URL says, the page is one of http', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x:y/z', 'https://', ':', '', 'git@a b:c'])
      expect(commitPage(repositoryPages(url, 'RepositoryProviderGithub'), sha) ?? 'https:').toMatch(/^https?:/);
  });
});
