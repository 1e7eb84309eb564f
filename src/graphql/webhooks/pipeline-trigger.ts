import { Arg, Args, Ctx, Field, FieldResolver, ID, InputType, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import type { PipelineRow, PipelineTriggerRow } from '../../entities/database.js';
import { createTrigger } from '../../operations/pipeline-triggers/create.js';
import { deleteTrigger } from '../../operations/pipeline-triggers/delete.js';
import { getTrigger } from '../../operations/pipeline-triggers/get.js';
import { listTriggers } from '../../operations/pipeline-triggers/list.js';
import { updateTrigger } from '../../operations/pipeline-triggers/update.js';
import { webUrls } from '../../web-urls.js';
import { PageArguments, stretchOf } from '../connections/arguments.js';
import { connectionOf, connectionValue } from '../connections/connection.js';
import type { GraphqlContext } from '../context.js';
import { uuidOf } from '../ids.js';
import { MutationInput, MutationPayload, payload } from '../mutation-input.js';
import { optional } from '../options.js';
import { Pipeline } from '../pipelines/pipeline.js';
import { DateTime } from '../scalars/date-time.js';
import { JsonText } from '../scalars/json.js';

@ObjectType({ description: 'An address that makes a build whenever something is posted to it.' })
export class PipelineTrigger {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => String, { description: 'generic, github or linear: whose signature is checked.' })
  kind!: string;

  @Field(() => String, optional)
  description!: string | null;

  @Field(() => String)
  branch!: string;

  @Field(() => String)
  commit!: string;

  @Field(() => String)
  message!: string;

  @Field(() => JsonText, { description: 'Environment of its builds.' })
  env!: unknown;

  @Field(() => Boolean)
  enabled!: boolean;

  @Field(() => DateTime)
  createdAt!: Date;
}

export const { Connection: PipelineTriggerConnection } = connectionOf('PipelineTrigger', () => PipelineTrigger);

@InputType({ description: 'What there is to say of a trigger.' })
abstract class PipelineTriggerInput extends MutationInput {
  @Field(() => ID)
  pipelineId!: string;

  @Field(() => String, optional)
  kind?: string | null;

  @Field(() => String, optional)
  description?: string | null;

  @Field(() => String, optional)
  branch?: string | null;

  @Field(() => String, optional)
  commit?: string | null;

  @Field(() => String, optional)
  message?: string | null;

  @Field(() => JsonText, optional)
  env?: unknown;

  @Field(() => Boolean, optional)
  enabled?: boolean | null;

  @Field(() => String, { ...optional, description: 'What posts are signed with; null: they are not.' })
  secret?: string | null;
}

@InputType({ description: 'A trigger to be made.' })
class PipelineTriggerCreateInput extends PipelineTriggerInput {}

@InputType({ description: 'A trigger to be changed.' })
class PipelineTriggerUpdateInput extends PipelineTriggerInput {
  @Field(() => ID, { description: 'The uuid of the trigger.' })
  id!: string;
}

@InputType({ description: 'A trigger to be deleted.' })
class PipelineTriggerDeleteInput extends MutationInput {
  @Field(() => ID, { description: 'The uuid of the trigger.' })
  id!: string;

  @Field(() => ID)
  pipelineId!: string;
}

@ObjectType({ description: 'The trigger that was made.' })
class PipelineTriggerCreatePayload extends MutationPayload {
  @Field(() => Pipeline)
  pipeline!: unknown;

  @Field(() => PipelineTrigger)
  pipelineTrigger!: unknown;

  @Field(() => String, { description: 'Its token; it is shown this once.' })
  token!: string;

  @Field(() => String, { description: 'Where to post to; it holds the token.' })
  triggerUrl!: string;
}

@ObjectType({ description: 'The trigger as it is now.' })
class PipelineTriggerUpdatePayload extends MutationPayload {
  @Field(() => Pipeline)
  pipeline!: unknown;

  @Field(() => PipelineTrigger)
  pipelineTrigger!: unknown;
}

@ObjectType({ description: 'The trigger that is gone.' })
class PipelineTriggerDeletePayload extends MutationPayload {
  @Field(() => ID)
  deletedPipelineTriggerUuid!: string;

  @Field(() => Pipeline)
  pipeline!: unknown;
}

@Resolver(() => PipelineTrigger)
export class PipelineTriggerResolver {
  @FieldResolver(() => Boolean, { description: 'Whether posts must be signed.' })
  signed(@Root() trigger: PipelineTriggerRow): boolean {
    return trigger.secret !== null;
  }
}

const inPipeline = (pipelineId: string) => ({ pipeline: { id: uuidOf(pipelineId, ['Pipeline']) } });

@Resolver(() => Pipeline)
export class PipelineTriggersResolver {
  @FieldResolver(() => PipelineTrigger, { ...optional, description: 'A trigger by its uuid.' })
  async trigger(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext, @Arg('uuid', () => ID) id: string) {
    return (await context.find(getTrigger, { pipeline: { id: pipeline.id }, id }))?.trigger ?? null;
  }

  @FieldResolver(() => PipelineTriggerConnection, { description: 'Triggers, newest first.' })
  async triggers(@Root() pipeline: PipelineRow, @Ctx() context: GraphqlContext, @Args(() => PageArguments) given: PageArguments) {
    return connectionValue(await context.perform(listTriggers, { pipeline: { id: pipeline.id }, paging: stretchOf(given) }));
  }

  @Mutation(() => PipelineTriggerCreatePayload, { ...optional, description: 'Makes a trigger of a pipeline.' })
  async pipelineTriggerCreate(@Arg('input', () => PipelineTriggerCreateInput) input: PipelineTriggerCreateInput, @Ctx() context: GraphqlContext) {
    const { pipelineId, clientMutationId: _text, ...given } = input;
    const { pipeline, trigger, token } = await context.command(createTrigger, { ...given, ...inPipeline(pipelineId) });
    return payload(input, { pipeline, pipelineTrigger: trigger, token, triggerUrl: webUrls.webhook(context.baseUrl, token) });
  }

  @Mutation(() => PipelineTriggerUpdatePayload, { ...optional, description: 'Changes a trigger of a pipeline.' })
  async pipelineTriggerUpdate(@Arg('input', () => PipelineTriggerUpdateInput) input: PipelineTriggerUpdateInput, @Ctx() context: GraphqlContext) {
    const { pipelineId, clientMutationId: _text, ...given } = input;
    const { pipeline, trigger } = await context.command(updateTrigger, { ...given, ...inPipeline(pipelineId) });
    return payload(input, { pipeline, pipelineTrigger: trigger });
  }

  @Mutation(() => PipelineTriggerDeletePayload, { ...optional, description: 'Deletes a trigger of a pipeline.' })
  async pipelineTriggerDelete(@Arg('input', () => PipelineTriggerDeleteInput) input: PipelineTriggerDeleteInput, @Ctx() context: GraphqlContext) {
    const { pipeline, trigger } = await context.command(deleteTrigger, { id: input.id, ...inPipeline(input.pipelineId) });
    return payload(input, { pipeline, deletedPipelineTriggerUuid: trigger.id });
  }
}
