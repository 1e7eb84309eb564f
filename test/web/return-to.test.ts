import { localPath, signInPath } from '../../src/web/sign-in/return-to.js';

test.each([
  ['/', '/'],
  ['/acme/deploy/builds/3?tab=log#job-1', '/acme/deploy/builds/3?tab=log#job-1'],
  ['/organizations/acme/../other', '/organizations/other'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/..//evil.example', '/'],
  ['/./\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['acme', '/'],
  ['/login?return_to=/login', '/'],
  ['/logout', '/'],
  [`/${'a'.repeat(3_000)}`, '/'],
  ['/acme\r\nSet-Cookie: a=b', '/'],
  [null, '/'],
])('after signing in, %j leads to %s of this origin', (text, path) => {
  const target = localPath(text);
  expect(target).toBe(path);
  expect(new URL(target, 'http://ours.example').origin).toBe('http://ours.example');
});

test('the sign-in page is told where its visitor was going', () => {
  expect(signInPath('/')).toBe('/login');
  expect(signInPath('/acme/deploy?a=b&c=d')).toBe('/login?return_to=%2Facme%2Fdeploy%3Fa%3Db%26c%3Dd');
});
