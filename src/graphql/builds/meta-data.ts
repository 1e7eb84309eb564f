import { Args, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { limits } from '../../domain/limits/limits.js';
import type { ShownBuildRow } from '../../entities/database.js';
import { SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionOfList } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { Reads } from '../execution/reads.js';
import { optional } from '../server/options.js';
import { Build } from './build.js';

@ObjectType({ description: 'Meta-data value that the jobs of a build share.' })
export class BuildMetaData {
  @Field(() => String, { description: 'Key of the value.' })
  key!: string;

  @Field(() => String, { description: 'Value of the key.' })
  value!: string;
}

const { Connection: BuildMetaDataConnection } = connectionOf('BuildMetaData', () => BuildMetaData);

@Resolver(() => Build)
export class BuildMetaDataResolver {
  @Reads<ShownBuildRow>('id')
  @FieldResolver(() => BuildMetaDataConnection, {
    ...optional,
    description: 'Meta-data of the build, ordered by key; `first` and `last` are at most 10,000.',
  })
  async metaData(
    @Root() build: ShownBuildRow,
    @Ctx() context: GraphqlContext,
    @Args(() => SizeArguments) args: SizeArguments,
  ) {
    const data = await context.load.metaDataOfBuild.load(build.id);
    const rows = Object.entries(data).map(([key, value]) => ({ key, value }));
    return connectionOfList(rows, stretchOf(args, limits.metaDataConnectionMax));
  }
}
