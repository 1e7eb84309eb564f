import { Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Emoji as EmojiValue } from '../../domain/installation/emoji.js';
import type { OrganizationRow } from '../../entities/database.js';
import { listEmojis } from '../../operations/installation/emojis/list.js';
import { webUrls } from '../../services/web-urls.js';
import type { GraphqlContext } from '../context.js';
import { Organization } from './organization.js';
import { ReadBy } from '../execution/on-the-way.js';

@ObjectType({ description: 'An emoji that texts name between colons, such as `:rocket:`.' })
export class Emoji {
  @Field(() => String, { description: 'Name of the emoji, without colons.' })
  name!: string;

  @Field(() => [String], { description: 'Other names of the emoji, without colons.' })
  aliases!: string[];

  @Field(() => String, { description: 'URL of the image.' })
  url!: string;
}

@Resolver(() => Organization)
export class OrganizationEmojisResolver {
  @ReadBy(listEmojis)
  @FieldResolver(() => [Emoji], { description: 'Emojis that texts can name between colons.' })
  async emojis(@Root() { id }: OrganizationRow, @Ctx() context: GraphqlContext): Promise<Emoji[]> {
    const emojis: readonly EmojiValue[] = await context.performInBatch(listEmojis, { organization: { id } });
    return emojis.map(({ name, aliases }) => ({
      name,
      aliases: [...aliases],
      url: webUrls.emoji(context.baseUrl, name),
    }));
  }
}
