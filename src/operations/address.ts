import { z } from 'zod';
import { jobTypes } from '../domain/job-state.js';
import { isStorable } from './text.js';

/**
 * How callers name things: by slugs and numbers (REST) or by id (GraphQL, once the node id is decoded). Any text is
 * taken: one that cannot be a slug or an id simply names nothing, and the answer is that of a thing that is not there.
 */
const word = z.string().transform((text) => (text.length <= 300 && isStorable(text) ? text : ''));

export const organizationAddress = z.union([z.object({ slug: word }), z.object({ id: word })]);
export const pipelineAddress = z.union([z.object({ organization: word, slug: word }), z.object({ id: word })]);
export const buildAddress = z.union([z.object({ organization: word, pipeline: word, number: word.or(z.number()) }), z.object({ id: word })]);
export const jobAddress = z.union([
  z.object({ organization: word, pipeline: word, number: word.or(z.number()), id: word }),
  z.object({ organization: word, id: word }),
  /** `types`: those of the jobs that the name can mean; a job of any other is not there. */
  z.object({ id: word, types: z.array(z.enum(jobTypes)).optional() }),
]);
/** `job`: where the path names one beside the artifact. */
export const artifactAddress = z.union([
  z.object({ organization: word, pipeline: word, number: word.or(z.number()), job: word.optional(), id: word }),
  z.object({ organization: word, job: word, id: word }),
  z.object({ id: word }),
]);
export const inOrganization = z.union([z.object({ organization: word, id: word }), z.object({ id: word })]);

export type OrganizationAddress = z.output<typeof organizationAddress>;
export type PipelineAddress = z.output<typeof pipelineAddress>;
export type BuildAddress = z.output<typeof buildAddress>;
export type JobAddress = z.output<typeof jobAddress>;
export type ArtifactAddress = z.output<typeof artifactAddress>;
export type InOrganizationAddress = z.output<typeof inOrganization>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be an id at all; the database would refuse anything else with an error. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** A build number out of a path, or null for what cannot be one. */
export function readNumber(value: string | number): number | null {
  const number = typeof value === 'number' ? value : /^\d{1,10}$/.test(value) ? Number(value) : NaN;
  return Number.isInteger(number) && number > 0 && number <= 2_147_483_647 ? number : null;
}
