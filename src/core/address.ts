import { z } from 'zod';
import { largestInteger } from '../domain/integer-column.js';
import { jobTypes } from '../domain/builds/job-state.js';
import { isStorable } from '../domain/input-text.js';

/**
 * Addresses of resources: slugs and numbers (REST) or ids (GraphQL, once the node id is decoded). Any text is accepted;
 * one that cannot be a slug or an id names nothing, and the reply is that of a missing resource.
 */
const word = z
  .string()
  .meta({ maxLength: 300 })
  .transform((text) => (text.length <= 300 && isStorable(text) ? text : ''));

export const organizationAddress = z.union([z.object({ slug: word }), z.object({ id: word })]);
export const pipelineAddress = z.union([z.object({ organization: word, slug: word }), z.object({ id: word })]);
export const buildAddress = z.union([
  z.object({ organization: word, pipeline: word, number: word.or(z.number()) }),
  z.object({ id: word }),
]);
export const jobAddress = z.union([
  z.object({ organization: word, pipeline: word, number: word.or(z.number()), id: word }),
  z.object({ organization: word, id: word }),
  /** `types`: job types that the address can mean; a job of any other type is absent. */
  z.object({ id: word, types: z.array(z.enum(jobTypes)).optional() }),
]);
/** `job`: present where the path names a job beside the artifact. */
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

/** Whether a text can be an id; the database answers any other with an error. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** Parses a build number from a path; null for any other text. */
export function readNumber(value: string | number): number | null {
  if (typeof value === 'string' && !/^\d{1,10}$/.test(value)) return null;
  const number = Number(value);
  return Number.isInteger(number) && number > 0 && number <= largestInteger ? number : null;
}
