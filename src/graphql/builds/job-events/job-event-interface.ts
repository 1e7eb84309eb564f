import { Field, ID, InterfaceType } from 'type-graphql';
import type { EventRow } from '../../../entities/database.js';
import { DateTime } from '../../scalars/date-time.js';
import { jobEventTypeName } from './job-event-types.js';

/** Fields of other GraphQL types are declared in `job-event.ts`, because this file imports none. */
@InterfaceType({
  description: 'Event of a job.',
  resolveType: (event: EventRow) => jobEventTypeName(event),
})
export abstract class JobEvent {
  @Field(() => ID, { name: 'uuid', description: 'UUID of the event.' })
  id!: string;

  @Field(() => DateTime, { name: 'timestamp', description: 'Time of the event.' })
  createdAt!: Date;
}
