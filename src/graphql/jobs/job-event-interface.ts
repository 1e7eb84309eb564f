import { Field, ID, InterfaceType } from 'type-graphql';
import type { EventRow } from '../../entities/database.js';
import { DateTime } from '../scalars/date-time.js';
import { jobEventTypeName } from './job-event-types.js';

/** Members that refer to other types are added in `job-event.ts`, so that this imports none. */
@InterfaceType({ description: 'Something that happened to a job.', resolveType: (event: EventRow) => jobEventTypeName(event) })
export abstract class JobEvent {
  @Field(() => ID, { name: 'uuid' })
  id!: string;

  @Field(() => DateTime, { name: 'timestamp' })
  createdAt!: Date;
}
