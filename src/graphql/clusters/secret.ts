import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import { getSecret } from '../../operations/secrets/get.js';
import type { Secret as SecretRow } from '../../operations/secrets/secret.js';
import { connectionOf } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { Organization } from '../organizations/organization.js';
import { User } from '../organizations/user.js';
import { DateTime } from '../scalars/date-time.js';
import { Cluster } from './cluster.js';

@ObjectType({ implements: Node, description: 'A value for the jobs of a cluster, which is never shown.' })
export class Secret {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'What jobs ask for it by.' })
  key!: string;

  @Field(() => String, optional)
  description!: string | null;

  @Field(() => String, { ...optional, description: 'YAML: which jobs may have it; null for all jobs of the cluster.' })
  policy!: string | null;

  @Field(() => DateTime, optional)
  createdAt!: Date;

  @Field(() => DateTime, { ...optional, description: 'When a job last asked for it, to the minute.' })
  lastReadAt!: Date | null;

  @Field(() => DateTime, optional)
  updatedAt!: Date;
}

export const { Connection: SecretConnection } = connectionOf('Secret', () => Secret);

@Resolver(() => Secret)
export class SecretResolver {
  @Query(() => Secret, { ...optional, description: 'A secret by its uuid, without its value.' })
  async secret(@Ctx() context: GraphqlContext, @Arg('uuid', () => ID) uuid: string): Promise<SecretRow | null> {
    return (await context.find(getSecret, { secret: { id: uuidOf(uuid, ['ClusterSecret']) } }))?.secret ?? null;
  }

  @FieldResolver(() => Cluster, optional)
  cluster(@Root() secret: SecretRow, @Ctx() context: GraphqlContext) {
    return context.follow('read_clusters', context.load.cluster, secret.clusterId);
  }

  @FieldResolver(() => User, optional)
  createdBy(@Root() secret: SecretRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, secret.createdById);
  }

  @FieldResolver(() => DateTime, { ...optional, description: 'When it was destroyed: one that was is not there any more.' })
  destroyedAt(): null {
    return null;
  }

  @FieldResolver(() => Organization)
  organization(@Root() secret: SecretRow, @Ctx() context: GraphqlContext) {
    return context.load.organization.load(secret.organizationId);
  }

  @FieldResolver(() => User, optional)
  updatedBy(@Root() secret: SecretRow, @Ctx() context: GraphqlContext) {
    return context.follow(null, context.load.user, secret.updatedById);
  }
}
