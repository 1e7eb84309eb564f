import { z } from 'zod';
import { seal } from '../../../auth/sealed.js';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField, wrongState } from '../../../domain/problem.js';
import { inOrganization } from '../../../core/address.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';
import { defineOperation } from '../../../core/operation.js';
import { secretFields, secretKey, secretValue } from '../../../resources/agents/secrets/fields.js';
import type { SecretSubject } from '../../../resources/agents/secrets/find-secret.js';
import { secretColumns, secretPurpose } from '../../../resources/agents/secrets/secret.js';

/** Creates a secret for the jobs of a cluster. The value is encrypted and never shown to users again. */
export const createSecret = defineOperation({
  name: 'secret.create',
  summary: 'Creates a secret of a cluster.',
  kind: 'command',
  scope: 'write_secrets',
  access: 'maintain',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization, key: secretKey, value: secretValue, ...secretFields }),
  subject: (context, { cluster }) => findCluster(context, cluster, { lock: true }),
  run: async (context, request, subject: ClusterSubject): Promise<SecretSubject> => {
    const { cluster } = subject;
    const { count } = await context.db
      .selectFrom('cluster_secrets')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('clusterId', '=', cluster.id)
      .executeTakeFirstOrThrow();
    if (Number(count) >= limits.secretsPerCluster)
      throw wrongState(`A cluster may have at most ${limits.secretsPerCluster} secrets`);
    const id = context.newId();
    const secret = await context.db
      .insertInto('cluster_secrets')
      .values({
        id,
        organizationId: cluster.organizationId,
        clusterId: cluster.id,
        key: request.key,
        description: request.description ?? null,
        policy: request.policy || null,
        encryptedValue: seal(context.services.secretKey, secretPurpose, request.value, id),
        createdById: context.userId,
        updatedById: context.userId,
        createdAt: context.now,
        updatedAt: context.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning([...secretColumns])
      .executeTakeFirst();
    if (!secret) throw invalidField('key', 'has already been taken');
    recordCluster(context, cluster, 'secret.create', { secret: secret.id, key: secret.key });
    return { ...subject, secret };
  },
});
