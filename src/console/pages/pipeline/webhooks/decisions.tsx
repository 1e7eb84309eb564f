import { graphql, useFragment } from 'react-relay';
import type { decisions_decision$key } from '../../../__generated__/decisions_decision.graphql';
import { localPath } from '../../../relay/nodes';
import { texts } from '../../../texts/texts';
import { StateMark } from '../../../ui/state';

const fragment = graphql`
  fragment decisions_decision on WebhookDecision @relay(plural: true) {
    kind
    action
    branch
    tag
    commit
    message
    outcome
    reason
    rules {
      rule
      outcome
      reason
    }
    build {
      number
      url
    }
    pullRequest {
      id
      title
    }
  }
`;

/** What each event of a delivery came to, and which build filter said so. */
export function Decisions({ decisions }: { decisions: decisions_decision$key }) {
  const data = useFragment(fragment, decisions);
  if (data.length === 0) return <p className="muted">{texts.webhooks.noDecisions}</p>;
  return (
    <ul className="stack">
      {data.map((decision, index) => (
        <li key={index} className="stack stack-s">
          <p>
            <strong>
              {decision.kind.replaceAll('_', ' ')} {decision.action}
            </strong>{' '}
            {decision.tag ?? decision.branch} {decision.commit && <code>{decision.commit.slice(0, 10)}</code>}{' '}
            {decision.pullRequest && (
              <>
                #{decision.pullRequest.id} {decision.pullRequest.title}
              </>
            )}
          </p>
          <p>
            {decision.reason}{' '}
            {decision.build && (
              <a href={localPath(decision.build.url)}>{texts.webhooks.build(decision.build.number)}</a>
            )}
          </p>
          <ol className="rules">
            {decision.rules.map((rule) => (
              <li key={rule.rule} className="row">
                <StateMark state={rule.outcome === 'pass' ? 'PASSED' : 'BLOCKED'} />
                <code>{rule.rule}</code>
                <span className="muted">{rule.reason}</span>
              </li>
            ))}
          </ol>
        </li>
      ))}
    </ul>
  );
}
