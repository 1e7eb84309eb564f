import { Args, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { limits } from '../../domain/limits.js';
import type { BuildRow } from '../../entities/database.js';
import { SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionOfList } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { Build } from './build.js';

@ObjectType({ description: 'A value that jobs of a build share.' })
export class BuildMetaData {
  @Field(() => String)
  key!: string;

  @Field(() => String)
  value!: string;
}

const { Connection: BuildMetaDataConnection } = connectionOf('BuildMetaData', () => BuildMetaData);

@Resolver(() => Build)
export class BuildMetaDataResolver {
  @FieldResolver(() => BuildMetaDataConnection, { ...optional, description: 'Meta-data, by key; up to 10,000 at once.' })
  async metaData(@Root() build: BuildRow, @Ctx() context: GraphqlContext, @Args(() => SizeArguments) given: SizeArguments) {
    const data = await context.load.metaDataOfBuild.load(build.id);
    const rows = Object.entries(data).map(([key, value]) => ({ key, value }));
    return connectionOfList(rows, stretchOf(given, limits.metaDataConnectionMax));
  }
}
