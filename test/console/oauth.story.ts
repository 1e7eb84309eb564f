import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConsoleWorld, findingsOf, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { describeUnless } from '../support/skips.js';

describeUnless(whyNot(), 'letting a program in', () => {
  let world: ConsoleWorld;
  /** The program, which listens for its answer. */
  let program: Server;
  const answers: URLSearchParams[] = [];
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    program = createServer((request, response) => {
      answers.push(new URL(request.url ?? '/', 'http://local.invalid').searchParams);
      response.setHeader('Content-Type', 'text/html').end('<h1>Welcome back</h1>');
    }).listen(0, '127.0.0.1');
    await once(program, 'listening');
  });
  afterAll(async () => {
    program?.close();
    await world?.close();
  });

  const post = async (path: string, body: string, type: string) =>
    (await fetch(world.demo.url + path, { method: 'POST', headers: { 'Content-Type': type }, body })).json() as Promise<
      Record<string, string>
    >;
  const form = (path: string, fields: Record<string, string>) =>
    post(path, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded');

  it('a browser shows who asks, is sent back to the program at its port, and the program gets its token', async () => {
    const redirect = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;
    const metadata = JSON.stringify({ client_name: 'My model', redirect_uris: ['http://127.0.0.1/callback'] });
    const { client_id: client = '' } = await post('/oauth/register', metadata, 'application/json');
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client,
      redirect_uri: redirect,
      state: 'mine',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const page = await world.page();
    await page.goto(`/oauth/authorize?${query.toString()}`);
    await see(page.getByText('My model asks to use Slipway in your name.'));
    expect(await findingsOf(page)).toEqual([]);
    await page.getByLabel('build logs').uncheck();
    await page.getByRole('button', { name: 'Allow' }).click();
    await see(page.getByRole('heading', { name: 'Welcome back' }));
    const [answer] = answers;
    expect([answer?.get('state'), answer?.get('iss')]).toEqual(['mine', world.demo.url]);
    const reply = await form('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: client,
      redirect_uri: redirect,
      code: answer?.get('code') ?? '',
      code_verifier: verifier,
    });
    expect(reply['scope']).toContain('read_builds');
    expect(reply['scope']).not.toContain('read_build_logs');
    await page.goto('/account');
    await see(page.getByText('My model (OAuth)'));
  });

  it('a code that a program shows is typed, and refused', async () => {
    const codes = await form('/oauth/device_authorization', { client_id: '5214b230f06b48938ab5', scope: 'read_user' });
    const page = await world.page({ dark: true, width: 390 });
    await page.goto('/oauth/device');
    expect(await findingsOf(page)).toEqual([]);
    await page.getByLabel('Code').fill(codes['user_code']?.toLowerCase() ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await see(page.getByText('bk, the Buildkite command line asks'));
    expect(await findingsOf(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
    await page.getByRole('button', { name: 'Deny' }).click();
    await see(page.getByText('got no access'));
    expect(world.complaints).toEqual([]);
  });
});
