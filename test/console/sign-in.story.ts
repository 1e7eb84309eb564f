import { ConsoleWorld, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { describeUnless } from '../support/skips.js';

describeUnless(whyNot(), 'signing in to the console', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
  });
  afterAll(() => world?.close());

  it('asks strangers for their password, and says when it is not right', async () => {
    const page = await world.page({ signedIn: false });
    await page.goto('/demo');
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await see(page.getByText('The email address or the password is not right.'));
    expect(await page.getByLabel('Email').inputValue()).toBe('nobody@example.com');
  });

  it('opens signed in by the address that the program printed, follows builds live, and signs out', async () => {
    const page = await world.page();
    await page.goto('/');
    expect(new URL(page.url()).pathname).toBe('/');
    await page.goto('/demo');
    await see(page.getByRole('heading', { level: 1 }));
    const other = await page.context().newPage();
    await other.goto('/demo');
    await see(other.getByText('Live', { exact: true }));
    await page
      .getByRole('button', { name: /account/i })
      .first()
      .click();
    await page.getByRole('menuitem', { name: /sign out/i }).click();
    await page.waitForURL('**/login**');
    await page.goto('/demo');
    expect(new URL(page.url()).pathname).toBe('/login');
    // Nothing happens that would tell the other one: the server looks by itself whether the session goes on.
    await other.waitForURL('**/login**', { timeout: 30_000 });
  });
});
