import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { sizeKinds, type Sizes } from '../../../domain/retention/sizes.js';
import { formatTime } from '../../../domain/time.js';
import type { OrganizationStorage, OwnerSizes } from '../../../operations/organizations/get-storage.js';
import {
  arrayOf,
  described,
  enumOf,
  largeInteger,
  nullable,
  object,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { roomStates } from '../../../storage/disk-room.js';
import { field, resource } from '../fields.js';
import { type Links, Urls } from '../urls.js';
import { timeOrNull } from '../values.js';

const sizeSchema = object({
  rows: described(largeInteger, 'Number of rows in the database.'),
  bytes: described(
    largeInteger,
    'Bytes of logs and artifacts in the storage; for the rest an estimate of those in the database.',
  ),
});
const words = {
  builds: 'Builds with their jobs, steps, events and annotations.',
  logs: 'Logs.',
  artifacts: 'Artifacts.',
  runs: 'Runs of test suites.',
  audit: 'Audit events.',
} as const;
const sizesSchema = object({}, Object.fromEntries(sizeKinds.map((kind) => [kind, described(sizeSchema, words[kind])])));
const ownerSchema = (noun: string) =>
  object({
    id: described(uuid, `ID of the ${noun}.`),
    slug: described(text, `Slug of the ${noun}.`),
    counted_at: described(time, 'Time the sizes were counted.'),
    sizes: described(sizesSchema, 'Sizes by kind.'),
  });

const diskSchema = object({
  state: described(
    enumOf(...roomStates),
    '`filling` below twice the reserve; `short` below it, where new logs and artifacts are refused.',
  ),
  free_bytes: described(largeInteger, 'Free bytes of the disk.'),
  reserve_bytes: described(largeInteger, 'Bytes that are kept free.'),
});

/** How much an organization has, as the background counted it last. */
export const storageResource = resource<{ storage: OrganizationStorage; links: Links }>({
  url: field(url, 'API URL of the sizes.', ({ links }) => `${links.api}/storage`),
  counted_at: field(
    nullable(time),
    'Time the oldest of the figures was counted; null before the first count.',
    ({ storage }) => timeOrNull(storage.countedAt),
  ),
  totals: field(sizesSchema, 'Sizes of everything, by kind.', ({ storage }) => presentSizes(storage.totals)),
  pipelines: field(
    arrayOf(ownerSchema('pipeline')),
    'Pipelines with the most bytes, first; at most 500.',
    ({ storage }) => storage.pipelines.map(presentOwner),
  ),
  disk: field(
    nullable(diskSchema),
    'Disk of logs and artifacts; null for a bucket, and where the operator keeps nothing of it free.',
    ({ storage: { disk } }) =>
      disk && { state: disk.state, free_bytes: disk.freeBytes, reserve_bytes: disk.reserveBytes },
  ),
  suites: field(arrayOf(ownerSchema('suite')), 'Test suites with the most bytes, first; at most 500.', ({ storage }) =>
    storage.suites.map(presentOwner),
  ),
});

const presentSizes = (sizes: Sizes): JsonObject =>
  Object.fromEntries(Object.entries(sizes).map(([kind, { rows, bytes }]) => [kind, { rows, bytes }]));

const presentOwner = ({ id, slug, countedAt, sizes }: OwnerSizes): JsonObject => ({
  id,
  slug,
  counted_at: formatTime(countedAt),
  sizes: presentSizes(sizes),
});

export function presentStorage(context: Context, storage: OrganizationStorage): Promise<JsonObject> {
  return storageResource.present({ storage, links: Urls.of(context).organization(storage.organization) });
}
