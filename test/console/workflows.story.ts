import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Locator } from 'playwright-core';
import { ConsoleWorld, findingsOf, whyNot } from './console-world.js';
import { expect as see } from './expect.js';
import { describeUnless } from '../support/skips.js';

const execution = (name: string, seconds: number) => ({
  id: crypto.randomUUID(),
  scope: 'cart',
  name,
  result: 'passed',
  history: { section: 'top', start_at: 0, end_at: seconds, duration: seconds },
});

/** Adds actions in their group of the dialog, each with the text of its one field. */
async function addActions(group: Locator, actions: readonly (readonly [label: string, field: string, text: string])[]) {
  for (const [label, field, text] of actions) {
    await group.getByRole('button', { name: 'Add an action' }).click();
    await group.getByLabel('Action', { exact: true }).last().selectOption({ label });
    await group
      .getByLabel(new RegExp(`^${field}`))
      .last()
      .fill(text);
  }
}

describeUnless(whyNot(), 'the workflows of a suite in the console', () => {
  let world: ConsoleWorld;
  const posted: { event: string }[] = [];
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += String(part)));
    request.on('end', () => {
      posted.push(JSON.parse(text) as { event: string });
      response.end('thanks');
    });
  });
  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    world = await ConsoleWorld.start();
  });
  afterAll(async () => {
    await world?.close();
    receiver.close();
  });

  it('are made, show what is in alarm and what they sent, and are changed and deleted', async () => {
    const suite = await world.suite('Unit tests', JSON.stringify([execution('adds', 1)]));
    const page = await world.page({ height: 1400 });
    await page.goto(`/organizations/demo/analytics/suites/${suite.slug}?tab=workflows`);
    await see(page.getByText(/^No workflows/));
    await page.getByRole('button', { name: 'New workflow' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Slow ones');
    await dialog.getByLabel('Monitor').selectOption({ label: 'Is slow' });
    await dialog.getByLabel('Executions that it looks back on').fill('1');
    await dialog.getByLabel('Alarm from').fill('10');
    await dialog.getByLabel('Recovers at').fill('20');
    const onAlarm = dialog.getByRole('group', { name: 'On alarm' });
    await addActions(onAlarm, [
      ['Add a label', 'Label', 'slow'],
      ['Webhook', 'URL', `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`],
      ['Slack', 'Channel', '#nowhere'],
    ]);
    const onRecover = dialog.getByRole('group', { name: 'On recovery' });
    await onRecover.getByRole('button', { name: 'Add an action' }).click();
    await onRecover.getByLabel('Action', { exact: true }).selectOption({ label: 'Change the state' });
    await dialog.getByRole('button', { name: 'Create' }).click();
    await see(dialog.locator('.field-error').first());
    expect(await findingsOf(page)).toEqual([]);
    await dialog.getByLabel('Recovers at').fill('2');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await see(page.getByRole('row', { name: 'Slow ones Is slow 0' }));

    await suite.upload('second', [execution('adds', 1), execution('waits', 60)]);
    await page.reload();
    await see(page.getByRole('row', { name: 'Slow ones Is slow 1' }));
    await page.getByRole('link', { name: 'Slow ones' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'Slow ones' }));
    await see(page.getByRole('region', { name: 'In alarm' }).getByRole('link', { name: 'cart waits' }));
    await expect.poll(() => posted.map(({ event }) => event)).toEqual(['workflow.alarm']);
    await page.reload();
    const event = page.locator('.entry', { hasText: '1 problem' });
    await event.locator('summary').first().click();
    await see(event.getByText(/^No such channel: /));
    await see(event.getByRole('region', { name: 'Values' }).getByText('"duration_p50": 60'));
    await event.locator('.entry summary', { hasText: 'delivered' }).click();
    await event.getByRole('button', { name: 'Send again' }).click();
    await expect.poll(() => posted.map(({ event: name }) => name)).toEqual(['workflow.alarm', 'workflow.alarm']);
    await expect.poll(() => event.locator('.entry').count()).toBe(2);
    expect(await findingsOf(page)).toEqual([]);

    await page.getByRole('button', { name: 'Edit' }).click();
    const actions = dialog.getByRole('group', { name: 'On alarm' });
    await actions.getByRole('button', { name: 'Remove the action' }).last().click();
    await expect.poll(() => actions.getByLabel('Action', { exact: true }).count()).toBe(2);
    await dialog.getByLabel('Name').fill('Slow');
    await dialog.getByLabel('Look at what is uploaded').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await see(page.getByRole('heading', { level: 1, name: 'Slow', exact: true }));
    await see(page.getByText('Is slow · Off'));
    const [stored] = await suite.api<{ alarm_actions: { type: string }[]; recover_actions: object[] }[]>(
      'GET',
      '/workflows',
    );
    expect(stored?.alarm_actions.map(({ type }) => type)).toEqual(['add_label', 'webhook']);
    expect(stored?.recover_actions).toMatchObject([{ type: 'change_state', state: 'muted' }]);

    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await see(page.getByText(/^No workflows/));
    expect(await suite.api('GET', '/workflows')).toEqual([]);
    await page.context().close();
  });

  it('say at the field of an action why it is refused', async () => {
    const suite = await world.suite('Refusals', JSON.stringify([execution('adds', 1)]));
    const page = await world.page({ height: 1400 });
    await page.goto(`/organizations/demo/analytics/suites/${suite.slug}?tab=workflows`);
    await page.getByRole('button', { name: 'New workflow' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Refused');
    const onAlarm = dialog.getByRole('group', { name: 'On alarm' });
    await addActions(onAlarm, [
      ['Add a label', 'Label', 'flaky'],
      ['Webhook', 'URL', 'ftp://127.0.0.1/'],
    ]);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await see(onAlarm.locator('.field', { hasText: 'URL' }).locator('.field-error'));
    expect(await dialog.locator('.field-error').count()).toBe(1);
    expect(await onAlarm.getByLabel(/^URL/).getAttribute('aria-invalid')).toBe('true');
    expect(await findingsOf(page)).toEqual([]);
    await page.context().close();
  });

  it('broke no content security policy and threw nothing', () => {
    expect(world.complaints).toEqual([]);
  });
});
