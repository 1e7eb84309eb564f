import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, Field, FieldResolver, ID, Info, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { getSecret } from '../../../operations/agents/secrets/get.js';
import type { Secret as SecretRow } from '../../../resources/agents/secrets/secret.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { Node } from '../../nodes/node.js';
import { optional } from '../../server/options.js';
import { Organization } from '../../organizations/organization.js';
import { User } from '../../organizations/user.js';
import { DateTime } from '../../scalars/date-time.js';
import { Cluster } from '../clusters/cluster.js';
import type { ClusterRow } from '../../../entities/database.js';
import { listSecrets } from '../../../operations/agents/secrets/list.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { ReadBy } from '../../execution/on-the-way.js';

@ObjectType({ implements: Node, description: 'A value for the jobs of a cluster; the API never shows the value.' })
export class Secret {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the secret, its `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Key by which jobs request the secret, unique in the cluster.' })
  key!: string;

  @Field(() => String, { ...optional, description: 'Description of the secret; null without one.' })
  description!: string | null;

  @Field(() => String, {
    ...optional,
    description: 'YAML document that selects the jobs that may read the secret; null for all jobs of the cluster.',
  })
  policy!: string | null;

  @Field(() => DateTime, { ...optional, description: 'Time the secret was created.' })
  createdAt!: Date;

  @Field(() => DateTime, {
    ...optional,
    description: 'Time a job last read the secret, to the minute; null if none has.',
  })
  lastReadAt!: Date | null;

  @Field(() => DateTime, { ...optional, description: 'Time the secret last changed.' })
  updatedAt!: Date;
}

export const { Connection: SecretConnection } = connectionOf('Secret', () => Secret);

@Resolver(() => Secret)
export class SecretResolver {
  @Query(() => Secret, {
    ...optional,
    description: 'A secret by its UUID, without its value; null if absent or hidden.',
  })
  async secret(
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID of the secret.' }) uuid: string,
  ): Promise<SecretRow | null> {
    return (await context.find(getSecret, { secret: { id: uuidOf(uuid, ['ClusterSecret']) } }))?.secret ?? null;
  }

  @FieldResolver(() => Cluster, { ...optional, description: 'Cluster whose jobs may read the secret.' })
  cluster(@Root() secret: SecretRow, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_clusters', context.load.cluster, secret.clusterId, info);
  }

  @FieldResolver(() => User, { ...optional, description: 'User who created the secret; null if no user did.' })
  createdBy(@Root() secret: SecretRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, secret.createdById);
  }

  @FieldResolver(() => DateTime, {
    ...optional,
    description: 'Time the secret was deleted: always null, as deleted secrets are not returned.',
  })
  destroyedAt(): null {
    return null;
  }

  @FieldResolver(() => Organization, { description: 'Organization that the secret belongs to.' })
  organization(@Root() secret: SecretRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(secret.organizationId);
  }

  @FieldResolver(() => User, { ...optional, description: 'User who last changed the secret; null if no user did.' })
  updatedBy(@Root() secret: SecretRow, @Ctx() context: GraphqlContext) {
    return context.loadReference(null, context.load.user, secret.updatedById);
  }
}

@Resolver(() => Cluster)
export class SecretsOfClusterResolver {
  @ReadBy(listSecrets)
  @FieldResolver(() => SecretConnection, {
    ...optional,
    description: 'Secrets of the cluster, without their values.',
  })
  async secrets(
    @Root() cluster: ClusterRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listSecrets, { cluster: { id: cluster.id } }, { paging: stretchOf(args) }),
    );
  }
}
