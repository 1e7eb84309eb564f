import type { Services } from '../../services.js';
import { inTransaction } from '../../database/transaction.js';
import { badgeTokenColumns, webhookTokenColumns } from './url-token.js';

const atOnce = 200;

/**
 * Seals the URL tokens of pipelines that were made before tokens were sealed, and empties the columns they stood in. Run at
 * each start, by any number of replicas at once: each pipeline is taken under its lock. The number sealed.
 */
export async function sealUrlTokens(services: Pick<Services, 'db' | 'secretKey'>): Promise<number> {
  let done = 0;
  for (;;) {
    const count = await inTransaction(services.db, 'pipelines.seal-tokens', async (trx) => {
      const rows = await trx
        .selectFrom('pipelines')
        .select(['id', 'webhookToken', 'badgeToken'])
        .where((eb) => eb.or([eb('webhookToken', 'is not', null), eb('badgeToken', 'is not', null)]))
        .orderBy('id')
        .limit(atOnce)
        .forUpdate()
        .execute();
      for (const { id, webhookToken, badgeToken } of rows) {
        await trx
          .updateTable('pipelines')
          .set({
            ...(webhookToken === null ? {} : webhookTokenColumns(services, webhookToken)),
            ...(badgeToken === null ? {} : badgeTokenColumns(services, badgeToken)),
            webhookToken: null,
            badgeToken: null,
          })
          .where('id', '=', id)
          .execute();
      }
      return rows.length;
    });
    done += count;
    if (count < atOnce) return done;
  }
}
