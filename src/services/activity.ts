import { type BuildState, isBuildFinished } from '../domain/builds/build-state.js';
import type { JobFigures, JobOutcome } from '../domain/builds/job-figures.js';
import type { Services } from './services.js';
import { Durations, DurationsByQueue, Tally } from './tallies.js';

/** What a committed event says to metrics; the part of an `EventFact` that they read. */
interface CommittedEvent {
  subject: string;
  subjectId: string;
  type: string;
  to?: string | null;
  queueId?: string | null;
  figures?: JobFigures;
}

/** Ids of builds and jobs that ended with a transaction. */
export interface Ends {
  builds: string[];
  jobs: string[];
}

/** What is delivered to somebody outside: events to receivers of notifications, and commit statuses to providers. */
export const deliveryKinds = ['notification', 'commit_status'] as const;
type DeliveryKind = (typeof deliveryKinds)[number];
/** Of an attempt: it arrived, it will be tried again, or it was given up. */
export const deliveryOutcomes = ['delivered', 'retried', 'failed'] as const;
type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** Bounds of waits and running times of jobs, in seconds: from what agents take at once to four hours. */
const jobBounds = [1, 5, 15, 30, 60, 120, 300, 600, 1_200, 2_400, 3_600, 7_200, 14_400];
const dispatchBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * What this process has done since it started, as metrics count it. Each transaction is noted by the process that
 * committed it, after the commit, so the sum over all processes is the installation's.
 */
export class Activity {
  private static readonly known = new WeakMap<Services['limits'], Activity>();

  /** The activity of the server with these services. */
  static of({ limits }: Pick<Services, 'limits'>): Activity {
    let activity = this.known.get(limits);
    if (!activity) this.known.set(limits, (activity = new Activity()));
    return activity;
  }

  /** Builds that ended, by state; a build that is reopened ends again. */
  readonly builds = new Tally<[outcome: BuildState]>();
  /** Command and trigger jobs that ended. */
  readonly jobs = new Tally<[outcome: JobOutcome]>();
  /** Agents that were given up as lost. */
  lostAgents = 0;
  readonly jobWaits = new DurationsByQueue(jobBounds);
  readonly jobRuns = new DurationsByQueue(jobBounds);
  /** Seconds in which both a job and an agent for it were there, until the job was offered to it. */
  readonly dispatchLatency = new Durations(dispatchBounds);
  readonly deliveries = new Tally<[kind: DeliveryKind, outcome: DeliveryOutcome]>();
  readonly outbox = new Tally<[topic: string, outcome: DeliveryOutcome]>();
  /** Points that GraphQL operations have cost. */
  graphqlPoints = 0;
  /** Told of what ended, after the commit; must not throw or wait. */
  onEnds: ((ends: Ends) => void) | null = null;

  /** Notes the events of a transaction that was committed. */
  note(events: readonly CommittedEvent[]): void {
    const ends: Ends = { builds: [], jobs: [] };
    for (const { subject, subjectId, type, to, queueId, figures } of events) {
      if (figures) {
        this.noteJob(figures, queueId ?? null);
        if (figures.outcome) ends.jobs.push(subjectId);
      } else if (subject === 'build' && isBuildFinished(to as BuildState)) {
        this.builds.add(to as BuildState);
        ends.builds.push(subjectId);
      } else if (type === 'agent.lose') this.lostAgents += 1;
    }
    if (ends.builds.length + ends.jobs.length > 0) this.onEnds?.(ends);
  }

  private noteJob({ outcome, waitSeconds, runSeconds }: JobFigures, queueId: string | null): void {
    if (outcome) this.jobs.add(outcome);
    if (queueId === null) return;
    if (waitSeconds !== undefined) this.jobWaits.observe(queueId, waitSeconds);
    if (runSeconds !== undefined) this.jobRuns.observe(queueId, runSeconds);
  }
}
