import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { UserRow } from '../../entities/database.js';
import { webUrls } from '../../services/web-urls.js';
import type { GraphqlContext } from '../context.js';
import { Node } from '../nodes/node.js';
import { optional } from '../server/options.js';
import { DateTime } from '../scalars/date-time.js';
import { Avatar } from './avatar.js';

@ObjectType({ implements: Node, description: 'A person with an account.' })
export class User {
  @Field(() => String, { name: 'uuid', description: 'UUID of the user, their `id` in the REST API.' })
  id!: string;

  @Field(() => String, { description: 'Name of the user.' })
  name!: string;

  @Field(() => String, { description: 'Primary e-mail address of the user.' })
  email!: string;

  @Field(() => DateTime, { ...optional, description: 'Time the account was created.' })
  createdAt!: Date;
}

@Resolver(() => User)
export class UserResolver {
  @FieldResolver(() => Avatar, { description: 'Avatar of the user.' })
  avatar(@Root() user: UserRow, @Ctx() context: GraphqlContext): Avatar {
    return { url: webUrls.avatar(context.baseUrl, user.email) };
  }

  @FieldResolver(() => Boolean, { description: 'Whether this is a bot account: always false.' })
  bot(): boolean {
    return false;
  }

  @FieldResolver(() => Boolean, { description: 'Whether this account is shared by programs: always false.' })
  machineUser(): boolean {
    return false;
  }

  @FieldResolver(() => Boolean, { description: 'Whether the account has a password.' })
  hasPassword(@Root() user: UserRow): boolean {
    return user.passwordHash !== null;
  }
}
