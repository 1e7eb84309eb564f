import { buildFacts, summaryOf, textAt } from '../build-facts.js';
import { type Channel, payloadOf } from '../channel.js';
import { moreJobs } from '../failed-jobs.js';
import { escapeHtml } from '../escape-html.js';
import { httpAnswer } from '../http-answer.js';

/** A line of a chatbot in a Campfire of Basecamp; its URL is a secret. */
export const basecamp: Channel = {
  patience: 'hour',
  send: async (services, message) => {
    const facts = buildFacts(message.event, payloadOf(message));
    const title = facts.title === '' ? '' : `: ${escapeHtml(facts.title)}`;
    const { jobs, more } = await message.failedJobs(facts);
    const failed = jobs.map(({ name, reason }) => `<br>${escapeHtml(`${name}: ${reason}`)}`).join('');
    const content =
      `<a href="${escapeHtml(facts.url)}">${escapeHtml(summaryOf(facts))}</a>${title}${failed}` +
      (more === 0 ? '' : `<br>${moreJobs(more)}`);
    const body = JSON.stringify({ content });
    const reply = await services.outbound.send({
      method: 'POST',
      url: textAt(message.target, 'url') ?? '',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return { ...httpAnswer(reply, 'Basecamp'), request: body };
  },
};
