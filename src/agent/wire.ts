import { z } from 'zod';

/** A map of strings as Go agents read it: `null` for a value means the empty string. */
const stringMap = z.record(
  z.string(),
  z
    .string()
    .nullable()
    .transform((value) => value ?? ''),
);

const seconds = z.number().positive();

/** Answer to register. Zero intervals crash other agents; here they are a plain error. */
export const registrationSchema = z.object({
  id: z.string(),
  name: z.string(),
  access_token: z.string().min(1),
  endpoint: z.string().nullish(),
  ping_interval: seconds,
  job_status_interval: seconds,
  heartbeat_interval: seconds,
  request_headers: stringMap.nullish(),
});
export type Registration = z.infer<typeof registrationSchema>;

/** Answer to ping; everything is optional. */
export const pingSchema = z.object({
  action: z.string().nullish(),
  message: z.string().nullish(),
  job: z.object({ id: z.string() }).nullish(),
  endpoint: z.string().nullish(),
  request_headers: stringMap.nullish(),
});
export type Ping = z.infer<typeof pingSchema>;

/** Any JSON object, for answers that must decode but say nothing more. */
export const anyObjectSchema = z.record(z.string(), z.unknown());

/** Answer to accept and acquire, as far as this agent reads it. */
export const jobPayloadSchema = z.object({
  id: z.string(),
  env: stringMap,
  token: z.string().nullish(),
  chunks_max_size_bytes: z.number().int().positive(),
  chunks_interval_seconds: seconds.nullish().catch(undefined),
  /** The step as it was uploaded: its signature covers more of it than this agent reads otherwise. */
  step: z.looseObject({ signature: z.unknown(), secrets: z.unknown(), checkout: z.unknown() }).partial().nullish(),
  matrix_permutation: stringMap.nullish(),
});
export type JobPayload = z.infer<typeof jobPayloadSchema>;

export const jobStateSchema = z.object({ state: z.string() });
export const existsSchema = z.object({ exists: z.boolean() });
/** Answer to artifacts create, as far as this agent reads it. */
export const registeredArtifactsSchema = z.object({
  artifact_ids: z.array(z.string()),
  per_artifact_instructions: z
    .record(z.string(), z.object({ actions: z.array(z.object({ url: z.url() })).nullish() }))
    .nullish(),
});
export const secretSchema = z.object({ value: z.string() });

/** Why a job ended other than by its own exit. */
export type SignalReason = 'cancel' | 'agent_stop' | 'agent_refused' | 'signature_rejected' | 'process_run_error';

/** Result of a job: `exitStatus` is decimal text, "-1" if the command did not exit by itself. */
export interface JobResult {
  exitStatus: string;
  signal?: string;
  signalReason?: SignalReason;
}
