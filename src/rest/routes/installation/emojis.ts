import { listEmojis } from '../../../operations/installation/emojis/list.js';
import { presentEmoji } from '../../present/installation/emoji.js';
import { type Route, wholeListRoute } from '../../route.js';
import { inOrganization } from '../addresses.js';

/** The names that `:name:` can hold in texts, each with an image. */
export const emojiRoutes: Route[] = [
  wholeListRoute(listEmojis, {
    method: 'get',
    path: '/organizations/{org}/emojis',
    input: inOrganization,
    reply: { kind: 'list', schema: 'Emoji', present: presentEmoji },
  }),
];
