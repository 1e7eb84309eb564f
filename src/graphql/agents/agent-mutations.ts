import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Resolver } from 'type-graphql';
import { pauseAgent } from '../../operations/agents/pause.js';
import { resumeAgent } from '../../operations/agents/resume.js';
import { stopAgent } from '../../operations/agents/stop.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { IdInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Agent } from './agent.js';

@InputType({ description: 'An agent to be stopped.' })
class AgentStopInput extends IdInput {
  @Field(() => Boolean, { ...optional, defaultValue: true, description: 'Whether it finishes its job first; otherwise that is canceled.' })
  graceful?: boolean | null;
}

@InputType({ description: 'An agent to be kept without work.' })
class AgentPauseInput extends IdInput {
  @Field(() => String, { ...optional, description: 'Why.' })
  note?: string | null;

  @Field(() => Int, { ...optional, description: 'After which the pause ends by itself; 5 where absent.' })
  timeoutInMinutes?: number | null;
}

@InputType({ description: 'An agent to be given work again.' })
class AgentResumeInput extends IdInput {}

/** A payload with nothing but the agent. */
function agentPayload(name: string) {
  @ObjectType(name, { description: 'The agent as it is now.' })
  class AgentPayload extends MutationPayload {
    @Field(() => Agent)
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
  @Mutation(() => AgentStopPayload, { ...optional, description: 'Asks an agent to stop.' })
  async agentStop(@Arg('input', () => AgentStopInput) input: AgentStopInput, @Ctx() context: GraphqlContext) {
    const { agent } = await context.command(stopAgent, { ...addressOf(input.id), force: input.graceful === false });
    return payload(input, { agent });
  }

  @Mutation(() => AgentPausePayload, { ...optional, description: 'Keeps an agent connected without work.' })
  async agentPause(@Arg('input', () => AgentPauseInput) input: AgentPauseInput, @Ctx() context: GraphqlContext) {
    const { agent } = await context.command(pauseAgent, { ...addressOf(input.id), note: input.note, timeoutInMinutes: input.timeoutInMinutes });
    return payload(input, { agent });
  }

  @Mutation(() => AgentResumePayload, { ...optional, description: 'Ends the pause of an agent.' })
  async agentResume(@Arg('input', () => AgentResumeInput) input: AgentResumeInput, @Ctx() context: GraphqlContext) {
    return payload(input, { agent: (await context.command(resumeAgent, addressOf(input.id))).agent });
  }
}
