import { changeBuild, recountEvents } from '../../../../engine/state/builds.js';
import type { Problem } from '../check.js';
import type { CheckedBuild } from './facts.js';
import type { BuildRule } from './rule.js';

const hasWrongEvents = ({ build, events }: CheckedBuild) => events !== null && events.last !== build.eventSequence;

/** Counters of a build against a recount (I12), and the numbers of its events (I10). */
export const countsOfBuild: BuildRule = {
  name: 'counts',
  problems: (facts) => {
    const { build, name, events, appliedUploads } = facts;
    const problems: Problem[] = [];
    if (events && hasWrongEvents(facts))
      problems.push({
        promise: 'I12',
        subject: name,
        is: `event_sequence ${build.eventSequence}`,
        expected: `${events.last}, the number of its last event`,
        remedy: 'set it to the number of the last event',
      });
    if (events && (events.numbers !== events.count || events.last - events.first + 1 !== events.numbers))
      problems.push({
        promise: 'I10',
        subject: name,
        is: `${events.count} events with ${events.numbers} numbers from ${events.first} to ${events.last}`,
        expected: 'each number between the first and the last once',
        remedy: null,
        advice: 'events were lost or doubled: subscribers of this build may have missed a change; nothing else follows',
      });
    if (build.uploadCount !== appliedUploads)
      problems.push({
        promise: 'I12',
        subject: name,
        is: `upload_count ${build.uploadCount}`,
        expected: `${appliedUploads} applied uploads`,
        remedy: 'counted them',
      });
    return problems;
  },
  mend: async (context, facts, build) => {
    const { appliedUploads } = facts;
    if (build.uploadCount !== appliedUploads) await changeBuild(context, build, { uploadCount: appliedUploads });
    await context.flush();
    if (hasWrongEvents(facts)) await recountEvents(context.db, build.id);
  },
};
