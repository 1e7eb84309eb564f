import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConsoleWorld, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { describeUnless } from '../support/skips.js';

const of = '/organizations/demo';

describeUnless(whyNot(), 'what is seen in the console can be done there', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
    await world.api('POST', '/pipelines', {
      name: 'Shop',
      repository: 'https://git.example.com/s.git',
      cluster_id: world.demo.cluster_id,
      configuration: 'steps: [{command: make}]',
    });
  });
  afterAll(() => world?.close());

  it('guides a new organization, and marks what is done without a reload, until a push has built', async () => {
    const page = await world.page();
    await page.goto('/');
    const guide = page.locator('section').filter({ has: page.getByRole('heading', { name: 'First steps' }) });
    await see(guide.getByText('Connect an agent (done)'));
    await see(guide.getByText('Create a pipeline (done)'));
    await see(guide.getByText('2 of 4 done'));
    await see(guide.getByRole('link', { name: 'See the address of the newest pipeline' }));
    await world.api('POST', '/pipelines/shop/builds', { commit: 'HEAD', branch: 'main' });
    await see(guide.getByText('Run a build (done)'));
    const { provider } = await world.api<{ provider: { webhook_url: string } }>('POST', '/pipelines', {
      name: 'Site',
      repository: 'https://github.com/acme/site.git',
      cluster_id: world.demo.cluster_id,
      configuration: 'steps: [{block: Go}]',
    });
    const id = 'c0ffee00'.repeat(5);
    const { pathname } = new URL(provider.webhook_url);
    const { status } = await fetch(new URL(pathname, world.demo.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-GitHub-Event': 'push', 'X-GitHub-Delivery': 'first' },
      body: JSON.stringify({ ref: 'refs/heads/main', after: id, head_commit: { id, message: 'Begin' } }),
    });
    expect(status).toBe(202);
    await guide.waitFor({ state: 'detached' });
    await page.reload();
    await see(page.getByRole('heading', { name: 'Running now' }));
    expect(await guide.count()).toBe(0);
    await page.context().close();
  });

  it('makes an API token that works, shows it once, and revokes it', async () => {
    const page = await world.page();
    await page.goto('/account');
    await page.getByRole('button', { name: 'New API token' }).click();
    await page.getByLabel('Description').fill('For a script');
    await page.getByRole('checkbox', { name: 'graphql' }).check();
    await page.getByRole('button', { name: 'Create' }).click();
    await see(page.getByText('Copy it now: it is not shown again.'));
    const token = await page.locator('.copy-line code').innerText();
    const ask = () =>
      fetch(`${world.demo.url}/graphql`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: '{ viewer { user { name } } }' }),
      });
    expect(await (await ask()).json()).toEqual({ data: { viewer: { user: { name: 'Demo User' } } } });
    await page.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /For a script/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await ask()).status).toBe(401);
    await page.context().close();
  });

  it('begins a pipeline with the steps of a language, and shows its badge as the README will', async () => {
    const page = await world.page();
    await page.goto(`${of}/pipelines/new`);
    await page.getByLabel('Name').fill('Tool');
    await page.getByLabel('Repository').fill('https://git.example.com/tool.git');
    await page.getByLabel('Begin with').selectOption('Go');
    const editor = page.getByRole('textbox', { name: 'Steps' });
    await see(editor.getByText(/go test -race/));
    await see(page.getByText('These steps are valid.'));
    await editor.press('Control+End');
    await page.keyboard.insertText('# ours');
    await page.getByLabel('Begin with').getByText('Steps of your own').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Create pipeline' }).click();
    await see(page.getByText('Build at every push'));

    await page.goto('/demo/tool/settings?tab=badge');
    const image = page.getByRole('img', { name: 'State of Tool now' });
    await see(image);
    await page.getByLabel('Branch').fill('release');
    await page.getByLabel('Colors').selectOption('mono');
    await see(page.getByText(/^\[!\[Tool\]\(http.+\.svg\?branch=release&theme=mono\)\]\(http.+\/demo\/tool\)$/));
    const address = new URL((await image.getAttribute('src')) ?? '', world.demo.url);
    const reply = await fetch(address);
    expect([reply.status, (await reply.text()).includes('unknown')]).toEqual([200, true]);
    const width = `document.querySelector('img[alt="State of Tool now"]').naturalWidth`;
    expect(await page.evaluate<number>(width)).not.toBe(0);
    await page.context().close();
  });

  it('keeps steps that are typed faster than the page is drawn', async () => {
    const page = await world.page();
    await page.goto(`${of}/pipelines/new`);
    const editor = page.getByRole('textbox', { name: 'Steps' });
    await see(page.getByText('These steps are valid.'));
    // Chromium itself styles what is written over lines that are selected.
    await editor.press('Control+a');
    await page.keyboard.press('Delete');
    // Changes between one frame and the next, as of somebody who types on a slow machine.
    const text = `steps: [{command: echo}] # ${'as fast as it goes '.repeat(5)}end`;
    await page.evaluate(`(async () => {
      for (const letter of ${JSON.stringify(text)}) {
        document.execCommand('insertText', false, letter);
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
    })()`);
    const written = editor.getByText(text, { exact: true });
    await see(written);
    await see(page.getByText('These steps are valid.'));
    await see(written);
    await page.context().close();
  });

  it('makes a team with a member and a pipeline, and says beside the field what is refused', async () => {
    const page = await world.page();
    await page.goto(`${of}/teams`);
    const make = async () => {
      await page.getByRole('button', { name: 'New team' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Builders');
      await page.getByRole('button', { name: 'Create' }).click();
    };
    await make();
    await see(page.getByRole('heading', { level: 1, name: 'Builders' }));
    await page.getByRole('button', { name: 'Add a pipeline' }).click();
    await page.getByRole('combobox', { name: 'Pipeline' }).fill('no-such-pipeline');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await see(page.locator('.dialog .field-error'));
    await page.getByRole('combobox', { name: 'Pipeline' }).fill('shop');
    await page.locator('datalist option[value="shop"]').first().waitFor({ state: 'attached' });
    await page.getByRole('combobox', { name: 'Pipeline' }).fill('');
    await page.getByRole('combobox', { name: 'Pipeline' }).fill('shop');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await see(page.getByRole('link', { name: 'Shop' }));
    await page.context().close();
  });

  it('tells the next five times of a schedule while they are typed, and why there are none', async () => {
    const page = await world.page();
    await page.goto('/demo/shop/settings?tab=schedules');
    await page.getByRole('button', { name: 'New schedule' }).click();
    const times = page.getByRole('textbox', { name: 'Times' });
    await times.fill('at noon');
    await see(page.getByText(/must be five fields/));
    await times.fill('30 12 * * *');
    await see(page.getByText(/12:30/).first());
    expect(await page.locator('.dialog ol li').count()).toBe(5);
    await page.getByRole('textbox', { name: 'Name' }).fill('At noon');
    await page.getByRole('button', { name: 'Create' }).click();
    await see(page.getByRole('cell', { name: 'At noon' }));
    await page.context().close();
  });

  it('makes a queue, a secret and an agent token, and pauses the queue with its reason', async () => {
    const page = await world.page();
    await page.goto(`${of}/clusters/${world.demo.cluster_id}`);
    await page.getByRole('button', { name: 'New queue' }).click();
    await page.getByLabel('Key').fill('linux');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'linux' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'linux' }));
    await page.getByRole('button', { name: 'Pause' }).first().click();
    await page.getByLabel('Note').fill('New machines come');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await see(page.getByText('New machines come').first());
    await page.getByRole('link', { name: 'Default cluster' }).click();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByLabel('Key').fill('NPM_TOKEN');
    await page.getByLabel('Value').fill('s3cret');
    await page.getByRole('button', { name: 'Create' }).click();
    await see(page.getByRole('cell', { name: 'NPM_TOKEN' }));
    await page.getByRole('button', { name: 'New agent token' }).click();
    await page.getByLabel('Description').fill('Office');
    await page.getByRole('button', { name: 'Create' }).click();
    await see(page.getByText('Copy it now: it is not shown again.'));
    await page.context().close();
  });

  it('makes a notification service, sends it a ping, and sends a delivery again', async () => {
    const receiver = createServer((_request, response) => response.end('taken')).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const page = await world.page();
    await page.goto(`${of}/notification-services`);
    await page.getByRole('button', { name: 'New notification service' }).click();
    await page.getByLabel('Description').fill('Chat');
    await page.getByLabel('Address').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`);
    await page.getByRole('button', { name: 'Create' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'Chat' }));
    await page.getByRole('button', { name: 'Send a ping' }).click();
    const deliveries = page.locator('details.entry');
    await see(deliveries.nth(1));
    await deliveries.first().locator('summary').click();
    // A delivery that is still being tried cannot be sent again; the page is read anew until it has arrived.
    await expect
      .poll(
        async () => {
          await page.reload();
          return deliveries.first().innerText();
        },
        { timeout: 30_000, interval: 1_000 },
      )
      .toContain('delivered');
    await deliveries.first().locator('summary').click();
    await deliveries.first().getByRole('button', { name: 'Send again' }).click();
    await see(page.getByText('sent again').first());
    await page.context().close();
    receiver.close();
  });

  it('makes a Slack service and one of OpenTelemetry, whose secrets stay when other settings change', async () => {
    const said: string[] = [];
    const receiver = createServer((request, response) => {
      request.on('data', (bytes: Buffer) => said.push(bytes.toString('utf8')));
      request.on('end', () => response.end('ok'));
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const page = await world.page();
    await page.goto(`${of}/notification-services`);
    await page.getByRole('button', { name: 'New notification service' }).click();
    await page.getByLabel('Kind').selectOption('Slack, by an incoming webhook');
    await page.getByLabel('Description').fill('Builds #general');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/services/T0/B0/secret`;
    await page.getByLabel('Address of the incoming webhook').fill(url);
    await page.getByRole('button', { name: 'Create' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'Builds #general' }));
    await see(page.getByText('It is set; leave this empty to keep it.'));
    await page.getByLabel('Messages').selectOption('With an emoji before them');
    await page.getByRole('button', { name: 'Save' }).click();
    await see(page.getByText('Saved'));
    await page.getByRole('button', { name: 'Send a ping' }).click();
    await expect.poll(() => said.length, { timeout: 15_000 }).toBeGreaterThan(0);
    expect(await page.content()).not.toContain('/services/T0/B0/secret');

    await page.goto(`${of}/notification-services`);
    await page.getByRole('button', { name: 'New notification service' }).click();
    await page.getByLabel('Kind').selectOption('OpenTelemetry traces');
    await page.getByLabel('Description').fill('Traces');
    await page.getByLabel('Address of the collector').fill('https://otel.example.com');
    await page.getByLabel('Headers').fill('x-api-key=a-secret-of-the-collector');
    await page.getByRole('button', { name: 'Create' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'Traces' }));
    await expect.poll(() => page.getByLabel('Headers').inputValue()).toMatch(/^x-api-key=X+ctor$/);
    await page.getByLabel('Name of the service').fill('ci');
    await page.getByRole('button', { name: 'Save' }).click();
    await see(page.getByText('Saved'));
    await page.reload();
    await expect.poll(() => page.getByLabel('Name of the service').inputValue()).toBe('ci');
    expect(await page.getByRole('button', { name: 'Send a ping' }).count()).toBe(0);
    await page.context().close();
    receiver.close();
  });

  it('shows a banner to everybody, and tells what a webhook would come to, rule by rule', async () => {
    const page = await world.page();
    await page.goto(of);
    await page.getByLabel('Message').fill('Agents move on Friday');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await see(page.getByRole('complementary', { name: 'Banner' }).getByText('Agents move on Friday'));
    await page.goto('/demo/shop/settings?tab=webhooks');
    await see(page.getByRole('complementary', { name: 'Banner' }));
    await page.getByRole('button', { name: 'Try it' }).click();
    await see(page.getByText('It would build.'));
    await see(page.getByText('pipeline_active'));
    await page.context().close();
  });

  it('sets which events of the provider build, connects a provider, changes a test suite, and invites somebody', async () => {
    const page = await world.page();
    await page.goto('/demo/shop/settings?tab=provider');
    await page.getByRole('checkbox', { name: 'Filter enabled' }).check();
    await page.getByRole('textbox', { name: 'Filter condition' }).fill('build.branch ==');
    await page.getByRole('button', { name: 'Save' }).click();
    await see(page.locator('.field-error').getByText(/not a valid condition/));
    await page.getByRole('textbox', { name: 'Filter condition' }).fill('build.branch == "main"');
    await page.getByRole('button', { name: 'Save' }).click();
    await see(page.getByText('Saved'));
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Filter condition' }).inputValue()).toBe('build.branch == "main"');

    await page.goto(of);
    await page.getByRole('button', { name: 'Connect a provider' }).click();
    await page.getByLabel('Access token').fill('a-token-of-a-provider');
    await page.getByRole('button', { name: 'Create' }).click();
    const connection = page.getByRole('row', { name: /github\.com/ });
    await see(connection);
    await connection.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await connection.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Connect a provider' }).click();
    await page.getByLabel('Provider', { exact: true }).selectOption({ label: 'Gitea or Forgejo' });
    await page.getByLabel('Address of the API').fill('http://forge.invalid/');
    await page.getByLabel('Access token').fill('a-token-of-a-forge');
    await page.getByLabel('Name of the connection').fill('Our forge');
    await page.getByRole('button', { name: 'Create' }).click();
    const forge = page.getByRole('row', { name: /Our forge.*Gitea or Forgejo/ });
    await forge.getByRole('button', { name: 'Check' }).click();
    await see(page.getByRole('dialog').getByText(/^The provider refused/));
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();

    await page.goto(`${of}/analytics/suites`);
    await page.getByRole('button', { name: 'New test suite' }).click();
    await page.getByLabel('Name').fill('Unit tests');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'Unit tests' }));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Name').fill('All tests');
    await page.getByRole('button', { name: 'Save' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'All tests' }));

    // Events of the provisioning file call the organization by its slug; it keeps its name all the same.
    await page.goto(`${of}/audit-log`);
    await see(page.getByText('provisioning.apply').first());
    await see(page.getByRole('banner').getByText('Demo', { exact: true }));

    await page.goto(`${of}/users`);
    await page.getByRole('button', { name: 'Invite people' }).click();
    await page.getByLabel('Email addresses').fill('carol@example.com');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await see(page.getByRole('dialog').getByText('/invitations/'));
    await page.getByRole('button', { name: 'Done' }).click();
    await see(page.getByRole('cell', { name: 'carol@example.com' }));
    await page.context().close();
  });

  it('broke no content security policy and threw nothing meanwhile', () => {
    expect(world.complaints).toEqual([]);
  });
});
