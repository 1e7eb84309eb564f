import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { BuildAuthor } from '../../entities/build.js';
import { webUrls } from '../../web-urls.js';
import type { GraphqlContext } from '../context.js';
import { optional } from '../options.js';
import { Avatar } from './avatar.js';

@ObjectType({ description: 'The author of a commit who has no account.' })
export class UnregisteredUser {
  @Field(() => String, optional)
  name!: string | null;

  @Field(() => String, optional)
  email!: string | null;

  @Field(() => String, { ...optional, description: 'What the source provider calls them.' })
  username?: string | null;
}

@Resolver(() => UnregisteredUser)
export class UnregisteredUserResolver {
  @FieldResolver(() => Avatar)
  avatar(@Root() author: BuildAuthor, @Ctx() context: GraphqlContext): Avatar {
    return { url: webUrls.avatar(context.baseUrl, author.email) };
  }
}
