import { graphql, useLazyLoadQuery } from 'react-relay';
import type { templateFieldQuery } from '../../__generated__/templateFieldQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { SelectField } from '../../ui/field';

const document = graphql`
  query templateFieldQuery($organization: ID!) {
    organization(slug: $organization) {
      pipelineTemplates(first: 100) {
        edges {
          node {
            id
            name
          }
        }
      }
    }
  }
`;

/** The template whose steps a pipeline runs; nothing where the organization has none. */
export function TemplateField(props: {
  organization: string;
  value: string;
  error: string | undefined;
  onChange: (id: string) => void;
}) {
  const { organization, ...field } = props;
  const data = useLazyLoadQuery<templateFieldQuery>(document, { organization });
  const templates = nodesOf(data.organization?.pipelineTemplates);
  if (templates.length === 0) return null;
  return (
    <SelectField
      label={texts.settings.template}
      hint={texts.settings.templateHint}
      {...field}
      choices={[
        { value: '', label: texts.common.none },
        ...templates.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
