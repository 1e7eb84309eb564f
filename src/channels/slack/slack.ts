import { textAt } from '../build-facts.js';
import type { Channel } from '../channel.js';
import { httpAnswer } from '../http-answer.js';
import { openedSettings } from '../opened-settings.js';
import type { Theme } from './message.js';
import { messageOf } from './message-of.js';

/**
 * An incoming webhook of Slack, or of a compatible server (Mattermost, Rocket.Chat, Discord's `/slack`): `text` and
 * `attachments`, no blocks. Its URL is a secret.
 */
export const slack: Channel = {
  patience: 'hour',
  send: async (services, message) => {
    const settings = openedSettings(services, message.service);
    const theme = (textAt(settings, 'theme') ?? 'text') as Theme;
    const body = JSON.stringify(
      message.event === 'ping'
        ? { text: `Slipway can post here (${message.service?.description ?? 'test'}).` }
        : await messageOf(message, theme),
    );
    const reply = await services.outbound.send({
      method: 'POST',
      url: textAt(settings, 'url') ?? '',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return { ...httpAnswer(reply, 'Slack'), request: body };
  },
};
