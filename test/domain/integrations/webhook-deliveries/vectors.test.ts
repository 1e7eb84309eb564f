import type { ProviderEvent } from '../../../../src/domain/integrations/webhook-deliveries/provider-event.js';
import { readDelivery } from '../../../../src/domain/integrations/webhook-deliveries/read-delivery.js';
import { describeWithVectors } from '../../../support/vectors.js';
import { type DeliverySummary, kindOf, payloadOf, senderOf, webhookVectors } from '../../../support/webhook-vectors.js';

/** Checks the fields of an event that the provider-neutral summary has. */
function expectSummary(event: ProviderEvent, summary: DeliverySummary, kind: string): void {
  expect(event.kind).toBe(kind);
  if (kind === 'other') return;
  const has = (key: string) => Object.hasOwn(summary, key);
  const isRef = kind !== 'pull_request' && kind !== 'check_run';
  if (has('repository')) expect(event.repository).toBe(summary.repository);
  if (has('branch') && summary.branch && (isRef || event.branch !== null)) expect(event.branch).toBe(summary.branch);
  if (has('tag')) expect(event.tag).toBe(summary.tag);
  if (summary.commit && kind !== 'release') expect(event.commit).toBe(summary.commit);
  if (summary.message) expect(event.message).toBe(summary.message);
  if (summary.author) expect(event.author).toMatchObject(summary.author);
  if (typeof summary['author_raw'] === 'string')
    expect(`${event.author?.name} <${event.author?.email}>`).toBe(summary['author_raw']);
  if (kind !== 'pull_request') return;
  const { pullRequest } = event;
  expect(pullRequest?.number).toBe(String(summary.number));
  expect(pullRequest?.title).toBe(summary.title);
  if (has('base_branch')) expect(pullRequest?.baseBranch).toBe(summary['base_branch']);
  if (typeof summary['draft'] === 'boolean') expect(pullRequest?.draft).toBe(summary['draft']);
  if (has('labels')) expect(pullRequest?.labels).toEqual(summary['labels']);
  if (has('label')) expect(pullRequest?.label).toBe(summary['label']);
  if (has('from_fork')) expect(pullRequest?.fork).toBe(summary['from_fork']);
  if (has('head_repo')) expect(pullRequest?.headRepository).toBe(summary['head_repo']);
  if (has('head_owner')) expect(pullRequest?.headOwner).toBe(summary['head_owner']);
  if (has('head_repo_clone_url')) expect(pullRequest?.headRepositoryUrl).toBe(summary['head_repo_clone_url']);
}

describeWithVectors('recorded payloads of every provider [api-v2:idacfa]', () => {
  test.each(webhookVectors.map((vector) => [vector.id, vector.provider, vector.payload, vector] as const))(
    'the payload of vector %s from %s is read as the provider-neutral event it describes: %s',
    (_id, _provider, _payload, vector) => {
      const events = readDelivery(senderOf(vector), vector.event, payloadOf(vector));
      const { summary } = vector;
      if (!summary.changes) {
        expect(events).toHaveLength(1);
        expectSummary(events[0] as ProviderEvent, summary, kindOf(vector));
        return;
      }
      expect(events).toHaveLength(summary.changes.length);
      summary.changes.forEach((change, index) =>
        expectSummary(events[index] as ProviderEvent, { ...change, repository: summary.repository ?? '' }, change.kind),
      );
    },
  );
});
