import { agentHeldStates } from '../domain/builds/job-state.js';
import type { EventFact } from '../request/record-events.js';
import { Activity } from '../services/activity.js';
import type { CommittedChanges, Services } from '../services/services.js';

const heldStates: ReadonlySet<string> = new Set(agentHeldStates);

/**
 * Tells metrics, and those who wait for work in this process, what a transaction has changed: called after its commit,
 * with its events.
 */
export function announce(services: Pick<Services, 'dispatch' | 'limits'>, events: readonly EventFact[]): void {
  if (events.length === 0) return;
  Activity.of(services).note(events);
  const { dispatch } = services;
  if (!dispatch) return;
  const changes = changesOf(events);
  if (changes.builds.size + changes.queues.size + changes.agents.size > 0) dispatch.changed(changes);
}

/** The changes among events that agents may wait for: jobs that became ready, queues, and agents. */
export function changesOf(events: readonly EventFact[]): CommittedChanges {
  const changes = { builds: new Set<string>(), queues: new Set<string>(), agents: new Set<string>() };
  for (const event of events) {
    if (event.subject === 'agent') changes.agents.add(event.subjectId);
    if (event.subject === 'cluster' && typeof event.data?.['queue'] === 'string')
      changes.queues.add(event.data['queue']);
    if (event.subject !== 'job') continue;
    if (event.to === 'scheduled' && event.buildId) {
      if (event.queueId === undefined) changes.builds.add(event.buildId);
      else if (event.queueId !== null) changes.queues.add(event.queueId);
    }
    // Its job ended or was taken back, so the agent may get another one.
    if (event.agentId && !heldStates.has(event.to ?? '')) changes.agents.add(event.agentId);
  }
  return changes;
}
