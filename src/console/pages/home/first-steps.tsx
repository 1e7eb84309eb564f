import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { firstStepsQuery } from '../../__generated__/firstStepsQuery.graphql';
import type { firstStepsSubscription } from '../../__generated__/firstStepsSubscription.graphql';
import { useLive } from '../../relay/use-live';
import { texts } from '../../texts/texts';
import { CopyLine } from '../../ui/copy-button';
import { Icon } from '../../ui/icon';
import { buildsOfFirstHour, type FirstStep, firstSteps, isFirstHourOver, stepsDone } from './steps-done';
import './first-steps.css';

const document = graphql`
  query firstStepsQuery($organization: ID!, $builds: Int!) {
    organization(slug: $organization) {
      permissions {
        pipelineCreate {
          allowed
        }
      }
      agents(first: 1) {
        nodes {
          id
        }
      }
      pipelines(first: 1) {
        nodes {
          slug
        }
      }
      builds(first: $builds) {
        nodes {
          startedAt
          source {
            __typename
          }
        }
      }
    }
  }
`;

const changes = graphql`
  subscription firstStepsSubscription($organization: ID!, $after: String) {
    agents(id: $organization, after: $after) {
      cursor
      event {
        type
      }
    }
  }
`;

interface Props {
  organization: string;
  fetchKey: number;
  /** Reads the page again. */
  refetch: () => void;
  /** Called when the steps are hidden or over: they are not shown again. */
  onEnd: () => void;
}

/**
 * What a new organization needs until a push builds: an agent, a pipeline, a build, a webhook. Each is marked by itself
 * when it is done. Nothing for who may not create pipelines.
 */
export function FirstSteps({ organization, fetchKey, refetch, onEnd }: Props) {
  const data = useLazyLoadQuery<firstStepsQuery>(
    document,
    { organization, builds: buildsOfFirstHour },
    { fetchKey, fetchPolicy: 'store-and-network' },
  ).organization;
  useLive<firstStepsSubscription>(
    changes,
    { organization },
    {
      onNext: ({ agents }) => {
        if (agents.event) refetch();
      },
    },
  );
  const pipeline = data?.pipelines?.nodes[0]?.slug ?? null;
  const hour = {
    hasAgent: (data?.agents?.nodes ?? []).length > 0,
    hasPipeline: pipeline !== null,
    builds: (data?.builds?.nodes ?? []).map(({ startedAt, source }) => ({
      startedAt: startedAt ?? null,
      source: source.__typename,
    })),
  };
  const isOver = isFirstHourOver(hour);
  useEffect(() => {
    if (isOver) onEnd();
  }, [isOver, onEnd]);
  if (isOver || !data?.permissions.pipelineCreate?.allowed) return null;
  const done = stepsDone(hour);
  const next = firstSteps.find((step) => !done.has(step));
  return (
    <section className="card card-body stack first-steps">
      <div className="row">
        <h2 className="grow">{texts.home.firstSteps}</h2>
        <span className="muted tabular">{texts.home.stepsDone(done.size, firstSteps.length)}</span>
        <button type="button" className="button button-plain" onClick={onEnd}>
          {texts.home.hideSteps}
        </button>
      </div>
      <ol>
        {firstSteps.map((step) => (
          <li key={step} aria-current={step === next ? 'step' : undefined}>
            <span className={done.has(step) ? 'first-step-mark first-step-done' : 'first-step-mark'}>
              {done.has(step) && <Icon name="check" size={14} />}
            </span>
            <div className="stack stack-s grow">
              <strong>
                {texts.home.steps[step].title}
                {done.has(step) && <span className="visually-hidden"> {texts.home.stepDone}</span>}
              </strong>
              {!done.has(step) && <HowTo step={step} organization={organization} pipeline={pipeline} />}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function HowTo({ step, organization, pipeline }: { step: FirstStep; organization: string; pipeline: string | null }) {
  const { text, link } = texts.home.steps[step];
  return (
    <>
      <p className="muted">{text}</p>
      {step === 'agent' && <CopyLine text={texts.home.agentCommands(location.origin)} />}
      {step === 'agent' && (
        <Link to="/organizations/$organization/clusters" params={{ organization }}>
          {link}
        </Link>
      )}
      {step === 'pipeline' && (
        <Link to="/organizations/$organization/pipelines/new" params={{ organization }}>
          {link}
        </Link>
      )}
      {step === 'build' && pipeline && (
        <Link to="/$organization/$pipeline" params={{ organization, pipeline }}>
          {link}
        </Link>
      )}
      {step === 'push' && pipeline && (
        <Link to="/$organization/$pipeline/settings" params={{ organization, pipeline }} search={{ tab: 'webhooks' }}>
          {link}
        </Link>
      )}
    </>
  );
}
