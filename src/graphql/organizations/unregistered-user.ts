import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { BuildAuthor } from '../../entities/builds/build.js';
import { webUrls } from '../../services/web-urls.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../server/options.js';
import { Avatar } from './avatar.js';

@ObjectType({ description: 'Author of a commit without an account.' })
export class UnregisteredUser {
  @Field(() => String, { ...optional, description: 'Name of the author; null if unknown.' })
  name!: string | null;

  @Field(() => String, { ...optional, description: 'E-mail address of the author; null if unknown.' })
  email!: string | null;

  @Field(() => String, { ...optional, description: 'User name of the author at the source provider; null if unknown.' })
  username?: string | null;
}

@Resolver(() => UnregisteredUser)
export class UnregisteredUserResolver {
  @FieldResolver(() => Avatar, { description: 'Avatar of the author.' })
  avatar(@Root() author: BuildAuthor, @Ctx() context: GraphqlContext): Avatar {
    return { url: webUrls.avatar(context.baseUrl, author.email) };
  }
}
