import { isOfWorkflow } from '../../domain/integrations/notification-events.js';
import { buildFacts, textAt } from '../build-facts.js';
import { type ChannelMessage, payloadOf } from '../channel.js';
import { slackMessage, type SlackMessage, type Theme } from './message.js';
import { workflowMessage } from './workflow-message.js';

/** The message of an event: about a build or a step of it, or about a test. */
export async function messageOf(message: ChannelMessage, theme: Theme): Promise<SlackMessage> {
  const own = textAt(message.target, 'message');
  if (isOfWorkflow(message.event)) return workflowMessage(payloadOf(message), theme, own);
  const facts = buildFacts(message.event, payloadOf(message));
  return slackMessage(facts, await message.failedJobs(facts), theme, own);
}
