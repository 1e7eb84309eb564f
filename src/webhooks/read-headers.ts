import type { IncomingHttpHeaders } from 'node:http';
import type { DeliveryProof } from '../auth/delivery-proof.js';
import type { JsonObject } from '../domain/pipelines/steps/step.js';
import type { DeliverySender } from '../domain/integrations/webhook-deliveries/provider-event.js';

/** Provider, event, id and proof of a delivery, from its headers. */
export interface DeliveryHeaders {
  sender: DeliverySender;
  event: string;
  deliveryId: string | null;
  proof: DeliveryProof | null;
}

interface Dialect {
  sender: DeliverySender;
  event: string;
  /** Headers with the delivery's id, in order of preference. */
  ids: string[];
  proof: (header: (name: string) => string | null) => DeliveryProof | null;
}

const signature =
  (name: string, prefix = '') =>
  (header: (name: string) => string | null): DeliveryProof | null => {
    const value = header(name);
    return value?.startsWith(prefix) ? { kind: 'sha256', signature: value.slice(prefix.length) } : null;
  };

/** Forgejo also sends the headers of Gitea, both and Gogs those of GitHub: the own ones of each come first. */
const dialects: Dialect[] = [
  {
    sender: 'forgejo',
    event: 'x-forgejo-event',
    ids: ['x-forgejo-delivery'],
    proof: signature('x-forgejo-signature'),
  },
  { sender: 'gitea', event: 'x-gitea-event', ids: ['x-gitea-delivery'], proof: signature('x-gitea-signature') },
  { sender: 'gogs', event: 'x-gogs-event', ids: ['x-gogs-delivery'], proof: signature('x-gogs-signature') },
  {
    sender: 'github',
    event: 'x-github-event',
    ids: ['x-github-delivery'],
    proof: signature('x-hub-signature-256', 'sha256='),
  },
  {
    sender: 'gitlab',
    event: 'x-gitlab-event',
    ids: ['idempotency-key', 'x-gitlab-event-uuid'],
    proof: (header) => {
      const token = header('x-gitlab-token');
      return token === null ? null : { kind: 'token', token };
    },
  },
];

/** Header of a delivery's secret for providers that sign nothing and let their users set headers. */
const secretHeader = 'x-slipway-token';

/**
 * Returns the secret that a delivery carries in `X-Slipway-Token` or as the password of basic authentication: Azure
 * DevOps signs nothing.
 */
export function readSharedSecret({ [secretHeader]: secret, authorization }: IncomingHttpHeaders): DeliveryProof | null {
  if (typeof secret === 'string' && secret !== '') return { kind: 'token', token: secret };
  const [, encoded = ''] = /^basic ([a-z0-9+/]+={0,2})$/i.exec(authorization ?? '') ?? [];
  const credentials = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = credentials.indexOf(':');
  return colon < 0 ? null : { kind: 'token', token: credentials.slice(colon + 1) };
}

/**
 * Returns provider, event name and delivery id of a delivery whose headers say nothing: those of Azure DevOps are in
 * the body. Null for any other body.
 */
export function readSenderOfPayload(payload: JsonObject): Omit<DeliveryHeaders, 'proof'> | null {
  const { eventType, publisherId, id } = payload;
  if (typeof eventType !== 'string' || typeof publisherId !== 'string' || !azurePublishers.has(publisherId))
    return null;
  return { sender: 'azure_devops', event: eventType, deliveryId: typeof id === 'string' && id !== '' ? id : null };
}

const azurePublishers: ReadonlySet<string> = new Set(['tfs', 'azure-devops']);

/** Returns the provider, event name, delivery id and proof; null if the headers match no provider. */
export function readHeaders(headers: IncomingHttpHeaders): DeliveryHeaders | null {
  const header = (name: string): string | null => {
    const value = headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  for (const { sender, event, ids, proof } of dialects) {
    const word = header(event);
    if (word !== null) return { sender, event: word, deliveryId: firstOf(ids, header), proof: proof(header) };
  }
  const key = header('x-event-key');
  if (key === null) return null;
  const proof = signature('x-hub-signature', 'sha256=')(header);
  return isBitbucketCloud(key, header)
    ? { sender: 'bitbucket', event: key, deliveryId: header('x-request-uuid'), proof }
    : { sender: 'bitbucket_server', event: key, deliveryId: header('x-request-id'), proof };
}

/** Returns the proofs of a request to a pipeline trigger by kind of trigger; generic triggers are not signed. */
export function readProofs(headers: IncomingHttpHeaders): Partial<Record<'github' | 'linear', DeliveryProof>> {
  const { 'x-hub-signature-256': github, 'linear-signature': linear } = headers;
  return {
    ...(typeof github === 'string' && github.startsWith('sha256=')
      ? { github: { kind: 'sha256', signature: github.slice('sha256='.length) } }
      : {}),
    ...(typeof linear === 'string' ? { linear: { kind: 'sha256', signature: linear } } : {}),
  };
}

const firstOf = (names: string[], header: (name: string) => string | null): string | null =>
  names.map(header).find((value) => value !== null) ?? null;

/** Bitbucket Cloud and Bitbucket Server use the same event header with different event names. */
function isBitbucketCloud(key: string, header: (name: string) => string | null): boolean {
  return (
    header('x-hook-uuid') !== null ||
    header('x-request-uuid') !== null ||
    key === 'repo:push' ||
    key.startsWith('pullrequest:')
  );
}

/** Headers stored with a delivery, in the spelling in which they are returned; none of them contains a secret. */
const storedNames = [
  'Content-Type',
  'User-Agent',
  'X-GitHub-Event',
  'X-GitHub-Delivery',
  'X-GitHub-Hook-ID',
  'X-GitHub-Enterprise-Host',
  'X-GitHub-Enterprise-Version',
  'X-Gitlab-Event',
  'X-Gitlab-Event-UUID',
  'X-Gitlab-Webhook-UUID',
  'X-Gitlab-Instance',
  'Idempotency-Key',
  'X-Event-Key',
  'X-Hook-UUID',
  'X-Request-UUID',
  'X-Request-Id',
  'X-Attempt-Number',
  'X-Event-Time',
  'X-Gitea-Event',
  'X-Gitea-Event-Type',
  'X-Gitea-Delivery',
  'X-Forgejo-Event',
  'X-Forgejo-Event-Type',
  'X-Forgejo-Delivery',
  'X-Gogs-Event',
  'X-Gogs-Delivery',
];
const valueLength = 500;

/** Returns the stored headers of a delivery as `Name: value`, at most `valueLength` characters of each value. */
export function keptHeaders(headers: IncomingHttpHeaders): string[] {
  return storedNames.flatMap((name) => {
    const value = headers[name.toLowerCase()];
    return typeof value === 'string' ? [`${name}: ${value.replace(/[^\x20-\x7e]/g, '?').slice(0, valueLength)}`] : [];
  });
}
