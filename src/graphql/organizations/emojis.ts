import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Emoji as EmojiValue } from '../../domain/emoji.js';
import type { OrganizationRow } from '../../entities/database.js';
import { listEmojis } from '../../operations/emojis/list.js';
import { webUrls } from '../../web-urls.js';
import type { GraphqlContext } from '../context.js';
import { Organization } from './organization.js';

@ObjectType({ description: 'A picture that texts name between colons.' })
export class Emoji {
  @Field(() => String)
  name!: string;

  @Field(() => [String], { description: 'Its other names.' })
  aliases!: string[];

  @Field(() => String, { description: 'The picture.' })
  url!: string;
}

@Resolver(() => Organization)
export class OrganizationEmojisResolver {
  @FieldResolver(() => [Emoji], { description: 'What texts can name between colons.' })
  async emojis(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext): Promise<Emoji[]> {
    const emojis: readonly EmojiValue[] = await context.perform(listEmojis, { organization: { id } });
    return emojis.map(({ name, aliases }) => ({ name, aliases: [...aliases], url: webUrls.emoji(context.baseUrl, name) }));
  }
}
