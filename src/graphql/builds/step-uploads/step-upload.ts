import { Args, ArgsType, Ctx, Field, FieldResolver, ID, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { definitionYaml } from '../../../domain/pipelines/steps/definition-text.js';
import type { ShownBuildRow } from '../../../entities/database.js';
import { listStepUploads } from '../../../operations/builds/step-uploads/list.js';
import type { StepUpload } from '../../../entities/pipelines/shown-step-upload.js';
import { PageArguments, stretchOf } from '../../connections/arguments.js';
import { connectionOf, connectionValue } from '../../connections/connection.js';
import type { GraphqlContext } from '../../context.js';
import { Node } from '../../nodes/node.js';
import { DateTime } from '../../scalars/date-time.js';
import { optional } from '../../server/options.js';
import { Build } from '../build.js';
import { JobTypeCommand } from '../jobs/job-type-command.js';

@ObjectType({ description: 'Definition of uploaded steps; `null` in both forms where its text is not kept.' })
export class BuildStepUploadDefinition {
  @Field(() => String, { description: 'Definition as JSON.' })
  json!: string;
}

@Resolver(() => BuildStepUploadDefinition)
class BuildStepUploadDefinitionResolver {
  @FieldResolver(() => String, { description: 'Definition as YAML.' })
  yaml(@Root() { json }: BuildStepUploadDefinition): string {
    return definitionYaml(json);
  }
}

@ObjectType({ implements: Node, description: 'Steps that a job uploaded to its build.' })
export class BuildStepUpload {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the upload.' })
  id!: string;

  @Field(() => String, { description: '`applied`, or `rejected`.' })
  state!: string;

  @Field(() => String, { ...optional, description: 'Reason of the refusal; null for an applied upload.' })
  message!: string | null;

  @Field(() => Boolean, {
    name: 'replacesExistingSteps',
    description: 'Whether the steps replaced those that had not begun.',
  })
  replace!: boolean;

  @Field(() => Int, { description: 'Size of the definition in bytes, as JSON.' })
  definitionBytes!: number;

  @Field(() => DateTime, { description: 'Time of the upload.' })
  createdAt!: Date;
}

export const { Connection: BuildStepUploadConnection } = connectionOf('BuildStepUpload', () => BuildStepUpload);

@Resolver(() => BuildStepUpload)
class BuildStepUploadResolver {
  @FieldResolver(() => Int, {
    ...optional,
    description: 'Number of jobs that the upload added; null for a rejected one.',
  })
  createdJobsCount(@Root() { state, jobsCount }: StepUpload): number | null {
    return state === 'applied' ? jobsCount : null;
  }

  @FieldResolver(() => BuildStepUploadDefinition, { description: 'Uploaded definition.' })
  async definition(@Root() upload: StepUpload, @Ctx() context: GraphqlContext): Promise<BuildStepUploadDefinition> {
    // Before it is read: a page of long ones must not fill the memory.
    if (upload.definitionIsKept) context.takeLogBytes(upload.definitionBytes);
    return { json: (await context.load.stepUploadDefinition.load(upload.id)) ?? 'null' };
  }

  @FieldResolver(() => JobTypeCommand, { ...optional, description: 'Job that uploaded the steps.' })
  job(@Root() { jobId }: StepUpload, @Ctx() context: GraphqlContext) {
    return context.references.job.load(jobId);
  }
}

@ArgsType()
class StepUploadsArguments extends PageArguments {
  @Field(() => ID, { ...optional, description: 'GraphQL ID or UUID of a job; only its uploads.' })
  job?: string | null;
}

@Resolver(() => Build)
class StepUploadsOfBuildResolver {
  @FieldResolver(() => BuildStepUploadConnection, {
    ...optional,
    description: 'Uploads of steps by jobs of the build, newest first.',
  })
  async stepUploads(
    @Root() build: ShownBuildRow,
    @Ctx() context: GraphqlContext,
    @Args(() => StepUploadsArguments) args: StepUploadsArguments,
  ) {
    const input = { job: args.job, paging: stretchOf(args) };
    return connectionValue(await context.performInBatch(listStepUploads, { build: { id: build.id } }, input));
  }
}

/** Resolvers of the steps that jobs uploaded. */
export const stepUploadResolvers = [
  BuildStepUploadResolver,
  BuildStepUploadDefinitionResolver,
  StepUploadsOfBuildResolver,
] as const;
