import { sql } from 'kysely';
import type { Services } from '../../services/services.js';
import { inTransaction } from '../../database/transaction.js';
import { badgeTokenColumns, webhookTokenColumns } from './url-token.js';

const atOnce = 200;
/**
 * The migration after which tokens are sealed: replicas of releases before it read the plain ones, and write no others.
 */
const sealedSince = '20261121130000-keys-and-listening';

type Installation = Pick<Services, 'db' | 'secretKey'>;

/**
 * Seals the URL tokens of pipelines that a release before sealed tokens made, and empties the columns they stood in,
 * once a day has passed since the upgrade: until then replicas of the former release may go on beside this one. Run at
 * each start and in the background, by any number of replicas at once: each pipeline is taken under its lock. Returns
 * the number of pipelines changed.
 */
export async function sealUrlTokens(services: Installation): Promise<number> {
  const keepsPlain = await hasFormerReplicas(services);
  let done = 0;
  for (;;) {
    const count = await sealSome(services, keepsPlain);
    done += count;
    if (count < atOnce) return done;
  }
}

async function hasFormerReplicas({ db }: Installation): Promise<boolean> {
  const { rows } = await sql<{
    young: boolean;
  }>`select exists (select 1 from slipway_migrations where name =
    ${sealedSince} and executed_at > now() - interval '1 day') as young`.execute(db);
  return rows[0]?.young ?? false;
}

async function sealSome(services: Installation, keepsPlain: boolean): Promise<number> {
  return inTransaction(services.db, 'pipelines.seal-tokens', async (trx) => {
    const rows = await trx
      .selectFrom('pipelines')
      .select(['id', 'webhookToken', 'webhookTokenSealed', 'badgeToken', 'badgeTokenSealed'])
      .where((eb) => eb.or([eb('webhookToken', 'is not', null), eb('badgeToken', 'is not', null)]))
      .$if(keepsPlain, (query) =>
        query.where((eb) => eb.or([eb('webhookTokenSealed', 'is', null), eb('badgeTokenSealed', 'is', null)])),
      )
      .orderBy('id')
      .limit(atOnce)
      .forUpdate()
      .execute();
    for (const { id, webhookToken, webhookTokenSealed, badgeToken, badgeTokenSealed } of rows) {
      await trx
        .updateTable('pipelines')
        .set({
          ...(webhookToken === null || webhookTokenSealed !== null ? {} : webhookTokenColumns(services, webhookToken)),
          ...(badgeToken === null || badgeTokenSealed !== null ? {} : badgeTokenColumns(services, badgeToken)),
          ...(keepsPlain ? {} : { webhookToken: null, badgeToken: null }),
        })
        .where('id', '=', id)
        .execute();
    }
    return rows.length;
  });
}
