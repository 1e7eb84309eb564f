/** A column of sealed values (auth/sealed.ts), in the names of the database. */
export interface SealedColumn {
  table: string;
  /** The primary key, with the types of its columns. */
  key: readonly (readonly [column: string, type: 'uuid' | 'text'])[];
  column: string;
  /** Field of a JSON column with the value. */
  field?: string;
  purpose: string;
  /** The column whose text the value is bound to. */
  boundTo?: string;
}

const id = [['id', 'uuid']] as const;
const idempotency = {
  table: 'idempotency_keys',
  key: [
    ['api_token_id', 'uuid'],
    ['key', 'text'],
  ],
  purpose: 'idempotency',
  boundTo: 'key',
} as const;

/** Every column with values sealed by the secret key, which a key rotation re-encrypts. A test finds missing ones. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'pipelines', key: id, column: 'webhook_token_sealed', purpose: 'pipeline-webhook-token' },
  { table: 'pipelines', key: id, column: 'badge_token_sealed', purpose: 'pipeline-badge-token' },
  { table: 'suites', key: id, column: 'token_sealed', purpose: 'suite-token' },
  { table: 'notification_services', key: id, column: 'sealed_token', purpose: 'notification-service' },
  { table: 'notification_services', key: id, column: 'sealed_settings', purpose: 'notification-settings' },
  { table: 'notification_deliveries', key: id, column: 'sealed_target', purpose: 'notification-target' },
  { table: 'provider_connections', key: id, column: 'token', purpose: 'provider-token' },
  { table: 'provider_connections', key: id, column: 'webhook_secret', purpose: 'webhook-secret' },
  { table: 'pipeline_webhooks', key: [['pipeline_id', 'uuid']], column: 'secret', purpose: 'webhook-secret' },
  { table: 'pipeline_triggers', key: id, column: 'secret', purpose: 'webhook-secret' },
  { table: 'cluster_secrets', key: id, column: 'encrypted_value', purpose: 'cluster secret', boundTo: 'id' },
  { table: 'oidc_keys', key: [['id', 'text']], column: 'sealed_private_key', purpose: 'oidc-key', boundTo: 'id' },
  { ...idempotency, column: 'reply_body' },
  { ...idempotency, column: 'result', field: 'sealed' },
];
