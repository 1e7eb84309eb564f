import { Suspense, useId, useState } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { agentsNeededQuery } from '../../__generated__/agentsNeededQuery.graphql';
import { texts } from '../../texts/texts';
import { Loading } from '../../ui/placeholder';
import { Section } from '../../ui/section';
import { durationText } from '../../ui/time-text';

const document = graphql`
  query agentsNeededQuery($queue: ID!, $wait: Int!) {
    node(id: $queue) {
      ... on ClusterQueue {
        agentsNeeded(wait: $wait) {
          agents
          jobs
          from
          waitP95
          busyShare
          busiestAgents
          pastWaitP95
          pastShareInTime
        }
      }
    }
  }
`;

/** Waits that one may want, in seconds. */
const waits = [10, 60, 300, 900];

/** How many agents would have kept the waits of a queue short. */
export function AgentsNeeded({ queue }: { queue: string }) {
  const [wait, setWait] = useState(60);
  const id = useId();
  return (
    <Section
      title={texts.clusters.enoughAgents}
      actions={
        <span className="row">
          <label htmlFor={id}>{texts.clusters.waitAtMost}</label>
          <select id={id} className="input" value={wait} onChange={(event) => setWait(Number(event.target.value))}>
            {waits.map((seconds) => (
              <option key={seconds} value={seconds}>
                {durationText(seconds * 1000)}
              </option>
            ))}
          </select>
        </span>
      }
    >
      <div className="card card-body">
        <Suspense fallback={<Loading rows={2} />}>
          <Estimate queue={queue} wait={wait} />
        </Suspense>
      </div>
    </Section>
  );
}

function Estimate({ queue, wait }: { queue: string; wait: number }) {
  const { node } = useLazyLoadQuery<agentsNeededQuery>(document, { queue, wait }, { fetchPolicy: 'store-and-network' });
  const estimate = node?.agentsNeeded;
  if (!estimate || estimate.jobs === 0) return <p className="muted">{texts.clusters.noJobsToEstimate}</p>;
  const percent = (share: number) => Math.round(share * 100);
  const text = (seconds: number | null | undefined) => durationText((seconds ?? 0) * 1000);
  return (
    <>
      <p>{texts.clusters.agentsNeeded(estimate.agents, durationText(wait * 1000), percent(estimate.busyShare))}</p>
      <p className="muted">
        {texts.clusters.agentsOfPast({
          jobs: estimate.jobs,
          busiest: estimate.busiestAgents,
          wait: text(estimate.pastWaitP95),
          inTime: percent(estimate.pastShareInTime),
        })}
      </p>
    </>
  );
}
