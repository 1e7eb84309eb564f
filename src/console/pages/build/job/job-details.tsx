import { graphql, useLazyLoadQuery } from 'react-relay';
import type { jobDetailsEnvironmentQuery } from '../../../__generated__/jobDetailsEnvironmentQuery.graphql';
import type { jobDetailsQuery } from '../../../__generated__/jobDetailsQuery.graphql';
import { texts } from '../../../texts/texts';
import { Duration, RelativeTime } from '../../../ui/time';
import { EnvironmentTable } from '../side/environment';
import '../build.css';

const document = graphql`
  query jobDetailsQuery($job: ID!) {
    node(id: $job) {
      ... on JobTypeCommand {
        command
        exitStatus
        signal
        runnableAt
        startedAt
        finishedAt
        agentQueryRules
        priority {
          number
        }
        agent {
          name
        }
        clusterQueue {
          key
        }
      }
    }
  }
`;

const environmentDocument = graphql`
  query jobDetailsEnvironmentQuery($job: ID!) {
    node(id: $job) {
      ... on JobTypeCommand {
        env
      }
    }
  }
`;

export function JobDetails({ jobId }: { jobId: string }) {
  const { node } = useLazyLoadQuery<jobDetailsQuery>(document, { job: jobId }, { fetchPolicy: 'store-and-network' });
  if (!node) return null;
  return (
    <dl className="facts card-body">
      <dt>{texts.job.command}</dt>
      <dd>
        <pre className="preview-text">{node.command}</pre>
      </dd>
      <dt>{texts.job.agent}</dt>
      <dd>{node.agent?.name ?? texts.common.none}</dd>
      <dt>{texts.job.queue}</dt>
      <dd>
        {node.clusterQueue?.key} {node.agentQueryRules?.join(', ')}
      </dd>
      <dt>{texts.job.priority}</dt>
      <dd>{node.priority?.number ?? 0}</dd>
      <dt>{texts.job.waitedForAgent}</dt>
      <dd>
        <Duration from={node.runnableAt} to={node.startedAt ?? node.finishedAt} />
      </dd>
      <dt>{texts.job.ran}</dt>
      <dd>
        <Duration from={node.startedAt} to={node.finishedAt} /> <RelativeTime at={node.finishedAt} />
      </dd>
      <dt>{texts.job.exit}</dt>
      <dd>
        {node.exitStatus ?? texts.common.none} {node.signal}
      </dd>
    </dl>
  );
}

export function JobEnvironment({ jobId }: { jobId: string }) {
  const { node } = useLazyLoadQuery<jobDetailsEnvironmentQuery>(environmentDocument, { job: jobId });
  return <EnvironmentTable env={node?.env ?? []} />;
}
