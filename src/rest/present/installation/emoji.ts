import type { Context } from '../../../request/context.js';
import type { Emoji } from '../../../domain/installation/emoji.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { arrayOf, text, url } from '../../openapi/schema.js';
import { field, optionalField, resource } from '../fields.js';
import { Urls } from '../urls.js';

export const emojiResource = resource<{ context: Context; emoji: Emoji }>({
  name: field(text, 'Name of the emoji, written `:name:` in texts.', ({ emoji }) => emoji.name),
  url: field(url, 'URL of the image.', ({ context, emoji }) => Urls.of(context).emoji(emoji.name)),
  aliases: optionalField(arrayOf(text), 'Other names of the emoji.', ({ emoji }) =>
    emoji.aliases.length > 0 ? [...emoji.aliases] : undefined,
  ),
});

export function presentEmoji(context: Context, emoji: Emoji): Promise<JsonObject> {
  return emojiResource.present({ context, emoji });
}
