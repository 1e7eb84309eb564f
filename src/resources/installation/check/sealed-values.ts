import { sql } from 'kysely';
import { unseal } from '../../../auth/sealed.js';
import type { Db } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';
import { type SealedColumn, sealedColumns } from '../secret-keys/sealed-columns.js';
import { type SealedValue, sealedValues } from '../secret-keys/sealed-values.js';
import { type Check, defineCheck, examineLocked, findingOf } from './check.js';

const atOnce = 200;

interface SealedPlace {
  column: number;
  key: readonly string[];
}

/** What an operator does about a value that is lost for good. */
const remakes: Record<string, string> = {
  pipelines: 'rotate the URL of the webhook or badge of the pipeline',
  suites: 'rotate the upload token of the suite',
  notification_services: 'set the token, and the other secret settings, of the notification service again',
  notification_deliveries: 'the delivery cannot be sent: it is failed when it is due',
  provider_connections: 'set the token of the connection again',
  pipeline_webhooks: 'set the secret of the webhook again',
  pipeline_triggers: 'set the secret of the trigger again',
  cluster_secrets: 'set the value of the secret again',
  oidc_keys: 'delete the row: the next key is made by itself, and tokens of this one stay valid for minutes only',
};

const opens = ({ secretKey }: Services, at: SealedColumn, { value, boundTo }: SealedValue) =>
  unseal(secretKey, at.purpose, value, boundTo) !== null;

/** Values of a column in the order of its rows. No value begins with a dash. */
const readValues = (db: Db, at: SealedColumn, after: readonly string[] | null) =>
  sealedValues(db, at, { notBeginningWith: '-', after, limit: atOnce, lock: false });

/** What must be read back, can be: the secret key opens every sealed value. */
export const sealedValuesOpen: Check = defineCheck<SealedPlace>({
  name: 'secrets',
  ofInstallation: true,
  page: async (services, after) => {
    const [index, key] = (after === null ? [0, null] : JSON.parse(after)) as [number, readonly string[] | null];
    const at = sealedColumns[index];
    if (!at) return { count: 0, suspects: [], next: null };
    const values = await readValues(services.db, at, key);
    const suspects = values
      .filter((value) => !opens(services, at, value))
      .map((value) => ({ column: index, key: value.key }));
    const last = values.length < atOnce ? null : values.at(-1)?.key;
    const next = last ? [index, last] : [index + 1, null];
    return { count: values.length, suspects, next: JSON.stringify(next) };
  },
  examine: examineLocked(async ({ db, services }, { column: index, key }, repairs) => {
    const at = sealedColumns[index];
    if (!at) return [];
    const value = await readOne(db, at, key);
    if (!value || opens(services, at, value)) return [];
    const isReply = at.table === 'idempotency_keys';
    if (isReply && repairs)
      await sql`update idempotency_keys set result = null, reply_status = null, reply_body = null
        where api_token_id = ${key[0]}::uuid and key = ${key[1]}`.execute(db);
    return [
      findingOf(
        {
          promise: 'secrets',
          subject: `${at.table}.${at.column} of ${key.join(' ')}`,
          is: 'sealed with a key that is lost, or damaged',
          expected: 'a value that SECRET_KEY opens',
          remedy: isReply ? 'forgot the reply: the request is still not carried out twice' : null,
          advice: remakes[at.table] ?? 'set it again',
        },
        repairs,
      ),
    ];
  }),
});

async function readOne(db: Db, at: SealedColumn, key: readonly string[]): Promise<SealedValue | undefined> {
  const values = at.field === undefined ? sql.ref(at.column) : sql`${sql.ref(at.column)} ->> ${sql.lit(at.field)}`;
  const keys = at.key.map(([name, type], place) => sql`${sql.ref(name)} = ${key[place]}::${sql.raw(type)}`);
  const bound = at.boundTo === undefined ? sql`''` : sql`${sql.ref(at.boundTo)}::text`;
  const { rows } = await sql<{ value: string; bound: string }>`
    select ${values} as value, ${bound} as bound from ${sql.table(at.table)}
    where ${sql.join(keys, sql` and `)} and ${values} is not null for update`.execute(db);
  return rows[0] && { key, value: rows[0].value, boundTo: rows[0].bound };
}
