import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DeliverySender } from '../../src/domain/integrations/webhook-deliveries/provider-event.js';
import type { JsonObject } from '../../src/domain/pipelines/steps/step.js';
import { readVectors, vectorsDir, vectorsPresent } from './vectors.js';

/** The provider-neutral summary of a payload; its keys depend on the provider. */
export interface DeliverySummary extends Record<string, unknown> {
  kind: string;
  repository?: string;
  action?: string;
  branch?: string;
  tag?: string;
  commit?: string;
  message?: string;
  title?: string;
  number?: number;
  author?: { name?: string; email?: string };
  changes?: DeliverySummary[];
}

export interface WebhookVector {
  id: string;
  provider: 'github' | 'github-enterprise' | 'gitlab' | 'bitbucket' | 'bitbucket-server' | 'gitea' | 'gogs';
  event: string;
  headers: Record<string, string>;
  payload: string;
  summary: DeliverySummary;
}

const index = vectorsPresent
  ? readVectors<{ secret: string; cases: WebhookVector[] }>('webhooks/index.json')
  : { secret: '', cases: [] };
export const vectorSecret = index.secret;
export const webhookVectors = index.cases;

const senders: Record<WebhookVector['provider'], DeliverySender> = {
  github: 'github',
  'github-enterprise': 'github',
  gitlab: 'gitlab',
  bitbucket: 'bitbucket',
  'bitbucket-server': 'bitbucket_server',
  gitea: 'gitea',
  gogs: 'gogs',
};
export const senderOf = ({ provider }: WebhookVector): DeliverySender => senders[provider];

/** The bytes as they were sent. */
export const bytesOf = ({ payload }: WebhookVector): Buffer => readFileSync(resolve(vectorsDir, 'webhooks', payload));
export const payloadOf = (vector: WebhookVector): JsonObject =>
  JSON.parse(bytesOf(vector).toString('utf8')) as JsonObject;

const kinds: Record<string, string> = { merge_request: 'pull_request' };
/** Names that the summaries use and our events have other names for; a kind without any name of ours is `other`. */
export const kindOf = (vector: WebhookVector): string => {
  const { summary, provider } = vector;
  if (provider === 'gitlab' && isOfMergeRequest(payloadOf(vector))) return 'merged_result';
  const kind = kinds[summary.kind] ?? summary.kind;
  if (summary.kind === 'ref_create') return 'ref_create';
  const known = ['branch_push', 'branch_delete', 'tag_push', 'tag_delete', 'pull_request'];
  const github = [
    'merge_group',
    'deployment',
    'deployment_status',
    'fork',
    'release',
    'check_run',
    'pull_request_review',
    'issue_comment',
    'pull_request_review_comment',
    'ping',
  ];
  return known.includes(kind) || (provider.startsWith('github') && github.includes(kind)) ? kind : 'other';
};

/** Pipelines of merge requests are of commits that are on no branch. */
function isOfMergeRequest({ object_kind: kind, object_attributes: pipeline }: JsonObject): boolean {
  return kind === 'pipeline' && JSON.stringify(pipeline).includes('"source":"merge_request_event"');
}
