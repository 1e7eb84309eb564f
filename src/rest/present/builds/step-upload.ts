import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import { definitionYaml } from '../../../domain/pipelines/steps/definition-text.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { StepUpload } from '../../../entities/pipelines/shown-step-upload.js';
import { boolean, enumOf, integer, nullable, text, time, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { linkBuildById } from '../linked-build.js';
import { existing } from '../values.js';

interface Shown {
  upload: StepUpload;
  /** URL of the build's uploads. */
  all: string;
}

const fields = {
  uuid: field(uuid, 'ID of the upload.', ({ upload }: Shown) => upload.id),
  graphql_id: field(text, 'ID of the upload in the GraphQL API.', ({ upload }: Shown) =>
    encodeNodeId('BuildStepUpload', upload.id),
  ),
  state: field(
    enumOf('applied', 'rejected'),
    'Whether the steps were added to the build.',
    ({ upload }: Shown) => upload.state,
  ),
  source: field(enumOf('job'), 'Kind of sender.', () => 'job'),
  source_job_id: field(uuid, 'ID of the job that uploaded the steps.', ({ upload }: Shown) => upload.jobId),
  replace_existing_steps: field(
    boolean,
    'Whether the steps replaced those that had not begun.',
    ({ upload }: Shown) => upload.replace,
  ),
  created_jobs_count: field(
    nullable(integer),
    'Number of jobs that the upload added; null for a rejected one.',
    ({ upload }: Shown) => (upload.state === 'applied' ? upload.jobsCount : null),
  ),
  rejection_type: field(nullable(enumOf('validation_error')), 'Kind of the refusal.', ({ upload }: Shown) =>
    upload.state === 'rejected' ? 'validation_error' : null,
  ),
  message: field(nullable(text), 'Reason of the refusal.', ({ upload }: Shown) => upload.message),
  url: field(url, 'API URL of the upload.', ({ upload, all }: Shown) => `${all}/${upload.id}`),
  created_at: field(time, 'Time of the upload.', ({ upload }: Shown) => formatTime(upload.createdAt)),
  processed_at: field(time, 'Time the upload was applied or rejected.', ({ upload }: Shown) =>
    formatTime(upload.createdAt),
  ),
};

export const stepUploadResource = resource<Shown>(fields);

export const stepUploadWithDefinitionResource = resource<Shown & { definition: string | null }>({
  ...fields,
  definition_bytes: field(integer, 'Size of the definition, as JSON.', ({ upload }) => upload.definitionBytes),
  definition_yaml: field(nullable(text), 'Definition as YAML; null where its text is not kept.', ({ definition }) =>
    definition === null ? null : definitionYaml(definition),
  ),
  definition_yaml_omitted: field(
    boolean,
    'Whether the text of the definition is not kept: it was long, or its time is over.',
    ({ definition }) => definition === null,
  ),
});

export async function presentStepUpload(context: Context, upload: StepUpload): Promise<JsonObject> {
  return stepUploadResource.present({ upload, all: await uploadsOf(context, upload) });
}

export async function presentStepUploadWithDefinition(context: Context, upload: StepUpload): Promise<JsonObject> {
  const definition = await context.load.stepUploadDefinition.load(upload.id);
  return stepUploadWithDefinitionResource.present({ upload, all: await uploadsOf(context, upload), definition });
}

async function uploadsOf(context: Context, { buildId }: StepUpload): Promise<string> {
  const { links } = existing(await linkBuildById(context, buildId), 'a build');
  return `${links.api}/step-uploads`;
}
