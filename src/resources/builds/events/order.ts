import type { EventRow } from '../../../entities/database.js';
import type { Ordering } from '../../../core/paging.js';

/** Order of events: by the sequence of each build. */
export const bySequence: Ordering<EventRow> = {
  column: 'e.sequence',
  id: 'e.id',
  direction: 'asc',
  key: (event) => event.sequence,
  type: 'int',
};
