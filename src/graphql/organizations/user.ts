import { Args, ArgsType, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { UserRow } from '../../entities/database.js';
import { listBuilds } from '../../operations/builds/list.js';
import { webUrls } from '../../web-urls.js';
import { BuildConnection } from '../builds/build.js';
import { metaDataFilter } from '../builds/meta-data-filter.js';
import { SizeArguments, stretchOf } from '../connections/arguments.js';
import { connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { BuildStates } from '../enums.js';
import { Node } from '../node.js';
import { optional } from '../options.js';
import { DateTime } from '../scalars/date-time.js';
import { Avatar } from './avatar.js';

@ObjectType({ implements: Node, description: 'A person with an account.' })
export class User {
  @Field(() => String, { name: 'uuid' })
  id!: string;

  @Field(() => String)
  name!: string;

  @Field(() => String)
  email!: string;

  @Field(() => DateTime, optional)
  createdAt!: Date;
}

@ArgsType()
export class UserBuildsArguments extends SizeArguments {
  @Field(() => [String], optional)
  branch?: string[] | null;

  @Field(() => [String], { ...optional, description: 'Pairs of `key=value` that a build must have.' })
  metaData?: string[] | null;

  @Field(() => [BuildStates], optional)
  state?: string[] | null;
}

@Resolver(() => User)
export class UserResolver {
  @FieldResolver(() => Avatar)
  avatar(@Root() user: UserRow, @Ctx() context: GraphqlContext): Avatar {
    return { url: webUrls.avatar(context.baseUrl, user.email) };
  }

  @FieldResolver(() => Boolean, { description: 'Whether this is the account of a program.' })
  bot(): boolean {
    return false;
  }

  @FieldResolver(() => Boolean, { description: 'Whether this is an account that programs share.' })
  machineUser(): boolean {
    return false;
  }

  @FieldResolver(() => Boolean)
  hasPassword(@Root() user: UserRow): boolean {
    return user.passwordHash !== null;
  }

  @FieldResolver(() => BuildConnection, { ...optional, description: 'Builds this person created, newest first.' })
  async builds(@Root() user: UserRow, @Ctx() context: GraphqlContext, @Args(() => UserBuildsArguments) given: UserBuildsArguments) {
    const { branch, state } = given;
    return connectionValue(
      await context.perform(listBuilds, { within: { creatorId: user.id }, branch, state, metaData: metaDataFilter(given.metaData), paging: stretchOf(given) }),
    );
  }
}
