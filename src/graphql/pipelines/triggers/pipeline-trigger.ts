import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import type { ShownPipelineRow, PipelineTriggerRow } from '../../../entities/database.js';
import { createTrigger } from '../../../operations/pipelines/triggers/create.js';
import { deleteTrigger } from '../../../operations/pipelines/triggers/delete.js';
import { getTrigger } from '../../../operations/pipelines/triggers/get.js';
import { listTriggers } from '../../../operations/pipelines/triggers/list.js';
import { updateTrigger } from '../../../operations/pipelines/triggers/update.js';
import { webUrls } from '../../../services/web-urls.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { uuidOf } from '../../nodes/ids.js';
import { MutationInput, MutationPayload, payload } from '../../mutation-input.js';
import { optional } from '../../server/options.js';
import { Pipeline } from '../pipeline.js';
import { DateTime } from '../../scalars/date-time.js';
import { JsonText } from '../../scalars/json.js';

@ObjectType({ description: 'URL that creates a build of a pipeline for every request posted to the URL.' })
export class PipelineTrigger {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the trigger; `id` in the REST API.' })
  id!: string;

  @Field(() => String, {
    description: 'Kind of the requests, which decides how signatures are checked: `generic`, `github` or `linear`.',
  })
  kind!: string;

  @Field(() => String, { ...optional, description: 'Description of the trigger; null without one.' })
  description!: string | null;

  @Field(() => String, { description: 'Branch of the builds.' })
  branch!: string;

  @Field(() => String, { description: 'Commit of the builds.' })
  commit!: string;

  @Field(() => String, { description: 'Message of the builds.' })
  message!: string;

  @Field(() => JsonText, { description: 'Environment of the builds, as an object of texts.' })
  env!: unknown;

  @Field(() => Boolean, { description: 'Whether the trigger accepts requests.' })
  enabled!: boolean;

  @Field(() => DateTime, { description: 'Time the trigger was created.' })
  createdAt!: Date;
}

export const { Connection: PipelineTriggerConnection } = connectionOf('PipelineTrigger', () => PipelineTrigger);

/** Fields that creating and updating a trigger share; null restores the default of a new trigger. */
@InputType('PipelineTriggerFieldsInput')
abstract class PipelineTriggerFieldsInput extends MutationInput {
  @Field(() => ID, { description: 'GraphQL ID or UUID of the pipeline.' })
  pipelineId!: string;

  @Field(() => String, { ...optional, description: 'Kind of the requests: `generic` (default), `github` or `linear`.' })
  kind?: string | null;

  @Field(() => String, { ...optional, description: 'Description of the trigger.' })
  description?: string | null;

  @Field(() => String, {
    ...optional,
    description: 'Branch of the builds. Default: the default branch of the pipeline.',
  })
  branch?: string | null;

  @Field(() => String, { ...optional, description: 'Commit of the builds. Default: `HEAD`.' })
  commit?: string | null;

  @Field(() => String, { ...optional, description: 'Message of the builds. Default: `Triggered build`.' })
  message?: string | null;

  @Field(() => JsonText, { ...optional, description: 'Environment of the builds, as an object of texts.' })
  env?: unknown;

  @Field(() => Boolean, { ...optional, description: 'Whether the trigger accepts requests. Default: true.' })
  enabled?: boolean | null;

  @Field(() => String, {
    ...optional,
    description: 'Secret that requests are signed with; null accepts unsigned requests.',
  })
  secret?: string | null;
}

@InputType({ description: 'Input of `pipelineTriggerCreate`.' })
class PipelineTriggerCreateInput extends PipelineTriggerFieldsInput {}

@InputType({ description: 'Input of `pipelineTriggerUpdate`; absent fields keep their values.' })
class PipelineTriggerUpdateInput extends PipelineTriggerFieldsInput {
  @Field(() => ID, { description: 'UUID of the trigger.' })
  id!: string;
}

@InputType({ description: 'Input of `pipelineTriggerDelete`.' })
class PipelineTriggerDeleteInput extends MutationInput {
  @Field(() => ID, { description: 'UUID of the trigger.' })
  id!: string;

  @Field(() => ID, { description: 'GraphQL ID or UUID of the pipeline.' })
  pipelineId!: string;
}

@ObjectType({ description: 'Result of `pipelineTriggerCreate`.' })
class PipelineTriggerCreatePayload extends MutationPayload {
  @Field(() => Pipeline, { description: 'Pipeline of the trigger.' })
  pipeline!: unknown;

  @Field(() => PipelineTrigger, { description: 'Trigger that was created.' })
  pipelineTrigger!: unknown;

  @Field(() => String, { description: 'Token of the trigger; not shown again.' })
  token!: string;

  @Field(() => String, { description: 'URL that accepts the requests; contains the token and is not shown again.' })
  triggerUrl!: string;
}

@ObjectType({ description: 'Result of `pipelineTriggerUpdate`.' })
class PipelineTriggerUpdatePayload extends MutationPayload {
  @Field(() => Pipeline, { description: 'Pipeline of the trigger.' })
  pipeline!: unknown;

  @Field(() => PipelineTrigger, { description: 'Trigger after the change.' })
  pipelineTrigger!: unknown;
}

@ObjectType({ description: 'Result of `pipelineTriggerDelete`.' })
class PipelineTriggerDeletePayload extends MutationPayload {
  @Field(() => ID, { description: 'UUID of the deleted trigger.' })
  deletedPipelineTriggerUuid!: string;

  @Field(() => Pipeline, { description: 'Pipeline of the deleted trigger.' })
  pipeline!: unknown;
}

@Resolver(() => PipelineTrigger)
export class PipelineTriggerResolver {
  @FieldResolver(() => Boolean, { description: 'Whether requests must be signed.' })
  signed(@Root() trigger: PipelineTriggerRow): boolean {
    return trigger.secret !== null;
  }
}

const inPipeline = (pipelineId: string) => ({ pipeline: { id: uuidOf(pipelineId, ['Pipeline']) } });

@Resolver(() => Pipeline)
export class PipelineTriggersResolver {
  @FieldResolver(() => PipelineTrigger, {
    ...optional,
    description: 'Trigger of the pipeline by its UUID; null when the trigger is absent.',
  })
  async trigger(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Arg('uuid', () => ID, { description: 'UUID of the trigger.' }) id: string,
  ) {
    return (await context.findInBatch(getTrigger, { pipeline: { id: pipeline.id } }, { id }))?.trigger ?? null;
  }

  @FieldResolver(() => PipelineTriggerConnection, { description: 'Triggers of the pipeline, newest first.' })
  async triggers(
    @Root() pipeline: ShownPipelineRow,
    @Ctx() context: GraphqlContext,
    @Args(() => PageArguments) args: PageArguments,
  ) {
    return connectionValue(
      await context.performInBatch(listTriggers, { pipeline: { id: pipeline.id } }, { paging: stretchOf(args) }),
    );
  }

  @Mutation(() => PipelineTriggerCreatePayload, { ...optional, description: 'Creates a trigger of a pipeline.' })
  async pipelineTriggerCreate(
    @Arg('input', () => PipelineTriggerCreateInput, { description: 'Pipeline and fields of the new trigger.' })
    input: PipelineTriggerCreateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipelineId, clientMutationId: _text, ...fields } = input;
    const { pipeline, trigger, token } = await context.command(createTrigger, { ...fields, ...inPipeline(pipelineId) });
    return payload(input, {
      pipeline,
      pipelineTrigger: trigger,
      token,
      triggerUrl: webUrls.webhook(context.baseUrl, token),
    });
  }

  @Mutation(() => PipelineTriggerUpdatePayload, { ...optional, description: 'Updates a trigger of a pipeline.' })
  async pipelineTriggerUpdate(
    @Arg('input', () => PipelineTriggerUpdateInput, { description: 'Trigger and its new values.' })
    input: PipelineTriggerUpdateInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipelineId, clientMutationId: _text, ...fields } = input;
    const { pipeline, trigger } = await context.command(updateTrigger, { ...fields, ...inPipeline(pipelineId) });
    return payload(input, { pipeline, pipelineTrigger: trigger });
  }

  @Mutation(() => PipelineTriggerDeletePayload, { ...optional, description: 'Deletes a trigger of a pipeline.' })
  async pipelineTriggerDelete(
    @Arg('input', () => PipelineTriggerDeleteInput, { description: 'Trigger to delete.' })
    input: PipelineTriggerDeleteInput,
    @Ctx() context: GraphqlContext,
  ) {
    const { pipeline, trigger } = await context.command(deleteTrigger, {
      id: input.id,
      ...inPipeline(input.pipelineId),
    });
    return payload(input, { pipeline, deletedPipelineTriggerUuid: trigger.id });
  }
}
