import { sql } from 'kysely';
import { inLane } from '../../database/lanes.js';
import { type QueueCounts, queueCountColumns, countsByQueue } from '../../resources/agents/queues/queue-counts.js';
import { type QueueName, readQueueNames } from '../../resources/agents/queues/queue-names.js';
import type { Services } from '../../services/services.js';
import { sharedFor } from '../shared-for.js';

/** Queues with series of their own; what the others do is added up in the series `other`. */
const queuesShown = 500;
const other: QueueName = { cluster: 'other', queue: 'other' };

/** Counts are at least so old before they are made again, and 20 times as old as they took: a twentieth of a lane. */
const figuresLiveFor = { milliseconds: 10_000, timesAsLong: 20 };

export interface QueueFigures extends QueueCounts {
  name: QueueName;
}

/** Names and counts of queues for metrics, shared by all that show them. */
export interface QueueReads {
  /** The name of a queue by its id; undefined for one that does not exist (any more). */
  names: () => Promise<(queueId: string) => QueueName | undefined>;
  /** Agents and jobs of each queue that is shown, in zeros too, and of the others together where there are others. */
  figures: () => Promise<QueueFigures[]>;
}

export function queueReads(services: Services): QueueReads {
  const { milliseconds, timesAsLong } = figuresLiveFor;
  const read = sharedFor(milliseconds, () => inLane('background', () => readQueueNames(services.db, queuesShown + 1)), {
    timesAsLong,
  });
  const shown = async () => {
    const all = await read();
    return { names: new Map([...all].slice(0, queuesShown)), more: all.size > queuesShown };
  };
  return {
    names: async () => {
      const { names, more } = await shown();
      return (queueId) => names.get(queueId) ?? (more ? other : undefined);
    },
    figures: sharedFor(
      milliseconds,
      async () => {
        const { names, more } = await shown();
        return inLane('background', () => readFigures(services, names, more));
      },
      { timesAsLong },
    ),
  };
}

/** @param more whether there are queues beyond those with names */
async function readFigures(
  { db, clock }: Services,
  names: ReadonlyMap<string, QueueName>,
  more: boolean,
): Promise<QueueFigures[]> {
  const { rows } = await sql<QueueCounts & { queue: string | null }>`
    select case when queue = any(${[...names.keys()]}::uuid[]) then queue end as queue,
      ${sql.join(queueCountColumns.map((name) => sql`sum(${sql.ref(name)})::int as ${sql.ref(name)}`))}
    from (${countsByQueue(clock.now(), null)}) as counts where queue is not null group by 1`.execute(db);
  const counts = new Map(rows.map(({ queue, ...count }) => [queue, count]));
  const none = Object.fromEntries(queueCountColumns.map((name) => [name, 0])) as unknown as QueueCounts;
  const figures = [...names].map(([id, name]) => ({ ...none, ...counts.get(id), name }));
  return more ? [...figures, { ...none, ...counts.get(null), name: other }] : figures;
}
