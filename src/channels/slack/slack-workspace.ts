import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { textAt } from '../build-facts.js';
import type { Answer, Channel } from '../channel.js';
import { httpAnswer } from '../http-answer.js';
import { openedSettings } from '../opened-settings.js';
import { messageOf } from './message-of.js';

const api = 'https://slack.com/api/chat.postMessage';

/** Errors inside a reply of 200 that pass by themselves. */
const passing = new Set([
  'fatal_error',
  'internal_error',
  'ratelimited',
  'rate_limited',
  'request_timeout',
  'service_unavailable',
]);

/** `chat.postMessage` with the bot token of a workspace, to the room that an entry of `notify` names. */
export const slackWorkspace: Channel = {
  patience: 'hour',
  send: async (services, message) => {
    const settings = openedSettings(services, message.service);
    const body = JSON.stringify({
      channel: textAt(message.target, 'channel'),
      ...(await messageOf(message, 'text')),
    });
    const reply = await services.outbound.send({
      method: 'POST',
      url: api,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        authorization: `Bearer ${textAt(settings, 'token') ?? ''}`,
      },
      body,
    });
    const answer = httpAnswer(reply, 'Slack');
    return { ...(answer.verdict === 'sent' ? workspaceAnswer(answer) : answer), request: body };
  },
};

/** Slack says in a reply of 200 whether it took the message. */
function workspaceAnswer(answer: Answer): Answer {
  const said = parsed(answer.reply?.body ?? '');
  if (said['ok'] === true) return answer;
  const error = textAt(said, 'error') ?? 'a reply that is no JSON';
  return { ...answer, verdict: passing.has(error) ? 'retry' : 'refused', error: `Slack refused: ${error}` };
}

function parsed(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
