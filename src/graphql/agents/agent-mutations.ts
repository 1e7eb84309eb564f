import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { pauseAgent } from '../../operations/agents/pause.js';
import { resumeAgent } from '../../operations/agents/resume.js';
import { stopAgent } from '../../operations/agents/stop.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../nodes/ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../server/options.js';
import { Agent } from './agent.js';

@InputType({ description: 'Agent to stop.' })
class AgentStopInput extends IdInput {
  @Field(() => Boolean, {
    ...optional,
    defaultValue: true,
    description: 'Whether the agent finishes its job first; false cancels the job.',
  })
  graceful?: boolean | null;
}

@InputType({ description: 'Agent to pause.' })
class AgentPauseInput extends IdInput {
  @Field(() => String, { ...optional, description: 'Reason for the pause, shown to other users.' })
  note?: string | null;

  @Field(() => Int, { ...optional, description: 'Minutes after which the pause ends by itself; 5 if absent.' })
  timeoutInMinutes?: number | null;
}

@InputType({ description: 'Agent to resume.' })
class AgentResumeInput extends IdInput {}

/** Declares a payload that holds the agent. */
function agentPayload(name: string) {
  @ObjectType(name, { description: 'The agent after the mutation.' })
  class AgentPayload extends MutationPayload {
    @Field(() => Agent, { description: 'The agent after the mutation.' })
    agent!: unknown;
  }
  return AgentPayload;
}

const AgentStopPayload = agentPayload('AgentStopPayload');
const AgentPausePayload = agentPayload('AgentPausePayload');
const AgentResumePayload = agentPayload('AgentResumePayload');

const addressOf = (id: string) => ({ agent: { id: uuidOf(id, ['Agent']) } });

@Resolver()
export class AgentMutations {
  @Mutation(() => AgentStopPayload, { ...optional, description: 'Stops an agent, by default after its current job.' })
  async agentStop(
    @Arg('input', () => AgentStopInput, { description: 'Agent to stop.' }) input: AgentStopInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { agent } = await context.command(stopAgent, { ...addressOf(input.id), force: input.graceful === false });
    return payload(input, { agent });
  }

  @Mutation(() => AgentPausePayload, {
    ...optional,
    description: 'Pauses an agent: it stays connected and gets no jobs.',
  })
  async agentPause(
    @Arg('input', () => AgentPauseInput, { description: 'Agent to pause, with a note and a timeout.' })
    input: AgentPauseInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { agent } = await context.command(pauseAgent, {
      ...addressOf(input.id),
      note: input.note,
      timeoutInMinutes: input.timeoutInMinutes,
    });
    return payload(input, { agent });
  }

  @Mutation(() => AgentResumePayload, { ...optional, description: 'Resumes a paused agent.' })
  async agentResume(
    @Arg('input', () => AgentResumeInput, { description: 'Agent to resume.' }) input: AgentResumeInput,
    @Ctx() context: GraphqlContext,
  ) {
    return payload(input, { agent: (await context.command(resumeAgent, addressOf(input.id))).agent });
  }
}
