import { buildFacts, summaryOf, textAt } from '../build-facts.js';
import { type Channel, payloadOf } from '../channel.js';
import { httpAnswer } from '../http-answer.js';

const events = 'https://events.pagerduty.com/v2/change/enqueue';
const longestSummary = 1024;

/** A change event of PagerDuty, for the service whose integration key a pipeline names. */
export const pagerduty: Channel = {
  patience: 'hour',
  send: async (services, message) => {
    const facts = buildFacts(message.event, payloadOf(message));
    const change = {
      payload: {
        summary: summaryOf(facts).slice(0, longestSummary),
        timestamp: facts.finishedAt ?? services.clock.now().toISOString(),
        source: 'slipway',
        custom_details: {
          pipeline: facts.pipeline,
          build_number: facts.number,
          build_state: facts.state,
          branch: facts.branch,
          commit: facts.commit,
          message: facts.title,
          author: facts.author,
          duration_seconds: facts.seconds,
        },
      },
      links: [{ href: facts.url, text: `Build #${facts.number}` }],
    };
    const reply = await services.outbound.send({
      method: 'POST',
      url: events,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ routing_key: textAt(message.target, 'key'), ...change }),
    });
    return { ...httpAnswer(reply, 'PagerDuty'), request: JSON.stringify(change) };
  },
};
