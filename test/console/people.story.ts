import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { temporaryDirectory } from '../support/directory.js';
import { Program } from '../support/program.js';
import { browserPath, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { describeUnless } from '../support/skips.js';

const password = 'a long password';
const provisioning = `users:
  - {email: ada@example.com, name: Ada, password: ${password}}
  - {email: bob@example.com, name: Bob, password: ${password}}
organizations:
  - slug: acme
    name: Acme
    default_cluster: Default
    members: [{user: ada@example.com, role: admin}, {user: bob@example.com, role: member}]
    clusters: [{name: Default, queues: [{key: default}], default_queue: default}]
`;
const steps = 'steps:\n  - label: Kept\n    command: make kept\n';

async function signIn(page: Page, email = 'ada@example.com'): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describeUnless(whyNot(), 'people who sign in by their passwords', () => {
  const directory = temporaryDirectory();
  let program: Program;
  let browser: Browser;
  let url = '';
  beforeAll(async () => {
    const path = join(directory.path, 'slipway.yaml');
    writeFileSync(path, provisioning);
    const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: join(directory.path, 'data') };
    const main = join(process.cwd(), 'dist', 'main.js');
    program = Program.start(['serve', '--apply', path], env, [], undefined, undefined, main);
    url = (await program.until(/"url":"(http:[^"]+)"/))[1] ?? '';
    browser = await chromium.launch({ executablePath: browserPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    directory.remove();
  });

  it('come back to where their session ended, with everything that they had typed', async () => {
    const page = await browser.newPage({ baseURL: url });
    await page.goto('/organizations/acme/pipelines/new');
    await signIn(page);
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Shop');
    await page.getByLabel('Repository').fill('https://git.example.com/acme/shop.git');
    await page.getByLabel('Description').fill('What customers see');
    const editor = page.getByRole('textbox', { name: 'Steps' });
    await editor.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(steps);
    await see(page.getByText('These steps are valid.'));

    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Create pipeline' }).click();
    await page.waitForURL('**/login?return_to=**');
    await signIn(page);
    await page.waitForURL('**/organizations/acme/pipelines/new');
    await see(page.getByRole('textbox', { name: 'Steps' }).getByText('make kept'));
    expect(await name.inputValue()).toBe('Shop');
    expect(await page.getByLabel('Repository').inputValue()).toBe('https://git.example.com/acme/shop.git');
    expect(await page.getByLabel('Description').inputValue()).toBe('What customers see');
    await page.getByRole('button', { name: 'Create pipeline' }).click();
    await see(page.getByText('Build at every push'));

    // A second one by this name is refused, beside its field and in the words of the operation.
    await page.goto('/organizations/acme/pipelines/new');
    expect(await name.inputValue()).toBe('');
    await name.fill('Shop');
    await page.getByLabel('Repository').fill('https://git.example.com/acme/shop.git');
    await page.getByRole('button', { name: 'Create pipeline' }).click();
    await see(page.locator('.field-error'));
    const refusal = await page.locator('.field-error').first().innerText();
    expect(refusal).toMatch(/taken/);
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
  });

  it('see what they may see, and no button for what only administrators do', async () => {
    const page = await browser.newPage({ baseURL: url });
    await page.goto('/organizations/acme/clusters');
    await signIn(page, 'bob@example.com');
    await page.getByRole('link', { name: 'Default', exact: true }).click();
    await see(page.getByRole('heading', { level: 1, name: 'Default' }));
    const queue = page.getByRole('link', { name: 'default', exact: true });
    await see(queue);
    const administration = /^(New|Edit|Delete|Pause|Revoke|Invite|Archive)/;
    expect(await page.getByRole('main').getByRole('button', { name: administration }).count()).toBe(0);
    await queue.click();
    await see(page.getByRole('heading', { level: 1, name: 'default' }));
    expect(await page.getByRole('main').getByRole('button', { name: administration }).count()).toBe(0);
    for (const [path, heading] of [
      ['users', 'Members'],
      ['pipeline-templates', 'Pipeline templates'],
      ['teams', 'Teams'],
    ]) {
      await page.goto(`/organizations/acme/${path}`);
      await see(page.getByRole('heading', { level: 1, name: heading ?? '' }));
      await page.waitForLoadState('networkidle');
      expect(await page.getByRole('main').getByRole('button', { name: administration }).count()).toBe(0);
    }
    await page.context().close();
  });
});
