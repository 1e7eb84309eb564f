import type { Context } from '../../context.js';
import type { Emoji } from '../../domain/emoji.js';
import { listEmojis } from '../../operations/emojis/list.js';
import { Urls } from '../present/urls.js';
import { type Route, wholeListRoute } from '../route.js';
import { inOrganization } from './addresses.js';

/** The names that `:name:` can hold in texts, each with a picture (rest-facts 1.9). */
export const emojiRoutes: Route[] = [
  wholeListRoute(listEmojis, {
    method: 'get',
    path: '/organizations/{org}/emojis',
    input: inOrganization,
    reply: {
      kind: 'list',
      schema: 'Emoji',
      present: async (context: Context, { name, aliases }: Emoji) => ({ name, url: Urls.of(context).emoji(name), ...(aliases.length > 0 ? { aliases: [...aliases] } : {}) }),
    },
  }),
];
