import { lazy, Suspense, useRef, useState } from 'react';
import { fetchQuery, graphql } from 'react-relay';
import type { stepsFieldQuery } from '../../__generated__/stepsFieldQuery.graphql';
import { environment } from '../../relay/environment';
import { texts } from '../../texts/texts';
import { Loading } from '../../ui/placeholder';
import type { TextProblem } from '../../ui/yaml-editor';
import './steps-field.css';

const YamlEditor = lazy(async () => ({ default: (await import('../../ui/yaml-editor')).YamlEditor }));

const document = graphql`
  query stepsFieldQuery($organization: ID!, $yaml: String!) {
    organization(slug: $organization) {
      pipelineProblems(yaml: $yaml) {
        path
        message
        line
        column
      }
    }
  }
`;

/** The steps of a pipeline as YAML, checked by the server while they are typed. */
export function StepsField(props: {
  organization: string;
  value: string;
  /** What the operation refused, beside what the editor already says. */
  error?: string | undefined;
  onChange: (value: string) => void;
}) {
  const [problems, setProblems] = useState<readonly TextProblem[] | null>(null);
  const latest = useRef('');
  const check = async (yaml: string) => {
    latest.current = yaml;
    if (yaml.trim() === '') {
      setProblems(null);
      return [];
    }
    const variables = { organization: props.organization, yaml };
    const reply = await fetchQuery<stepsFieldQuery>(environment, document, variables, {
      fetchPolicy: 'network-only',
    }).toPromise();
    const problems = reply?.organization?.pipelineProblems ?? [];
    // An answer about an earlier text says nothing of this one.
    if (latest.current === yaml) setProblems(problems);
    return problems;
  };
  return (
    <div className="field">
      <span className="field-label">{texts.newPipeline.steps}</span>
      <div className="card steps-editor">
        <Suspense fallback={<Loading rows={3} />}>
          <YamlEditor label={texts.newPipeline.steps} value={props.value} onChange={props.onChange} check={check} />
        </Suspense>
      </div>
      {props.error && (
        <div role="alert" className="field-error">
          {props.error}
        </div>
      )}
      <div role="status" className={problems?.length ? 'field-error' : 'field-hint'}>
        {problems === null && texts.newPipeline.stepsHint}
        {problems?.length === 0 && texts.newPipeline.valid}
        {problems && problems.length > 0 && (
          <ul>
            {problems.slice(0, 10).map((problem, index) => (
              <li key={index}>
                {texts.newPipeline.position(problem.line, problem.column)}: {problem.path} {problem.message}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
