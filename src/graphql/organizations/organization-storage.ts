import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, Info, ObjectType, Resolver, Root } from 'type-graphql';
import { sizeKinds, type Sizes } from '../../domain/retention/sizes.js';
import type { OrganizationRow } from '../../entities/database.js';
import { getStorage, type OwnerSizes } from '../../operations/organizations/get-storage.js';
import type { GraphqlContext } from '../context.js';
import { StorageDiskStates, StorageKinds } from '../enums/organizations.js';
import { ReadBy } from '../execution/on-the-way.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { DateTime } from '../scalars/date-time.js';
import { JSInt } from '../scalars/numbers.js';
import { optional } from '../server/options.js';
import { Suite } from '../suites/suite.js';
import { Organization } from './organization.js';

@ObjectType({ description: 'Size of one kind.' })
export class StorageSize {
  @Field(() => StorageKinds, { description: 'Kind that is counted.' })
  kind!: string;

  @Field(() => JSInt, { description: 'Number of rows in the database.' })
  rows!: number;

  @Field(() => JSInt, {
    description: 'Bytes of logs and artifacts in the storage; for the rest an estimate of those in the database.',
  })
  bytes!: number;
}

@ObjectType({ description: 'Sizes of a pipeline.' })
export class PipelineStorage {
  @Field(() => DateTime, { description: 'Time the sizes were counted.' })
  countedAt!: Date;

  @Field(() => [StorageSize], { description: 'Sizes by kind.' })
  sizes!: StorageSize[];
}

@ObjectType({ description: 'Sizes of a test suite.' })
export class SuiteStorage {
  @Field(() => DateTime, { description: 'Time the sizes were counted.' })
  countedAt!: Date;

  @Field(() => [StorageSize], { description: 'Sizes by kind.' })
  sizes!: StorageSize[];
}

@ObjectType({ description: 'Disk of logs and artifacts of the installation.' })
export class StorageDisk {
  @Field(() => JSInt, { description: 'Free bytes of the disk.' })
  freeBytes!: number;

  @Field(() => JSInt, { description: 'Bytes that are kept free.' })
  reserveBytes!: number;

  @Field(() => StorageDiskStates, { description: 'State of the disk.' })
  state!: string;
}

@ObjectType({ description: 'Sizes of an organization, counted within the last day.' })
export class OrganizationStorage {
  @Field(() => DateTime, {
    ...optional,
    description: 'Time the oldest of the figures was counted; null before the first count.',
  })
  countedAt!: Date | null;

  @Field(() => [StorageSize], { description: 'Sizes of everything, by kind.' })
  totals!: StorageSize[];

  @Field(() => [PipelineStorage], { description: 'Pipelines with the most bytes, first; at most 500.' })
  pipelines!: PipelineStorage[];

  @Field(() => [SuiteStorage], { description: 'Test suites with the most bytes, first; at most 500.' })
  suites!: SuiteStorage[];

  @Field(() => StorageDisk, {
    ...optional,
    description: 'Disk of logs and artifacts, now; null for a bucket, and where the operator keeps nothing of it free.',
  })
  disk!: StorageDisk | null;
}

type Owned = PipelineStorage & { id: string };

@Resolver(() => PipelineStorage)
class PipelineStorageResolver {
  @FieldResolver(() => Pipeline, { ...optional, description: 'The pipeline.' })
  pipeline(@Root() { id }: Owned, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_pipelines', context.references.pipeline, id, info);
  }
}

@Resolver(() => SuiteStorage)
class SuiteStorageResolver {
  @FieldResolver(() => Suite, { ...optional, description: 'The test suite.' })
  suite(@Root() { id }: Owned, @Ctx() context: GraphqlContext, @Info() info: GraphQLResolveInfo) {
    return context.loadReference('read_suites', context.load.suite, id, info);
  }
}

@Resolver(() => Organization)
class OrganizationStorageResolver {
  @ReadBy(getStorage)
  @FieldResolver(() => OrganizationStorage, {
    ...optional,
    description: 'Rows and bytes by kind and pipeline, for administrators.',
  })
  async storage(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext): Promise<OrganizationStorage> {
    const storage = await context.performInBatch(getStorage, { organization: { id } });
    const owned = (owner: OwnerSizes): Owned => ({
      id: owner.id,
      countedAt: owner.countedAt,
      sizes: listOf(owner.sizes),
    });
    return {
      countedAt: storage.countedAt,
      totals: listOf(storage.totals),
      pipelines: storage.pipelines.map(owned),
      suites: storage.suites.map(owned),
      disk: storage.disk,
    };
  }
}

const listOf = (sizes: Sizes): StorageSize[] =>
  sizeKinds.flatMap((kind) => {
    const size = sizes[kind];
    return size ? [{ kind, ...size }] : [];
  });

export const storageResolvers = [OrganizationStorageResolver, PipelineStorageResolver, SuiteStorageResolver] as const;
