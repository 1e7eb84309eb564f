import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { graphql, useLazyLoadQuery } from 'react-relay';
import type { templatePageDeleteMutation } from '../../__generated__/templatePageDeleteMutation.graphql';
import type { templatePageQuery } from '../../__generated__/templatePageQuery.graphql';
import type { templatePageUpdateMutation } from '../../__generated__/templatePageUpdateMutation.graphql';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { FormFrame } from '../../ui/form';
import { Page } from '../../ui/page';
import { NotFound } from '../../ui/placeholder';
import { RelativeTime } from '../../ui/time';
import { showToast } from '../../ui/toast';
import { useForm } from '../../ui/use-form';
import { TemplateFields, type TemplateValues } from './template-fields';

const route = getRouteApi('/organizations/$organization/pipeline-templates/$template');

const document = graphql`
  query templatePageQuery($organization: ID!, $template: ID!) {
    organization(slug: $organization) {
      id
      permissions {
        organizationUpdate {
          allowed
        }
      }
    }
    pipelineTemplate(uuid: $template) {
      id
      name
      description
      configuration
      available
      updatedAt
      updatedBy {
        name
      }
    }
  }
`;

const updateDocument = graphql`
  mutation templatePageUpdateMutation($input: PipelineTemplateUpdateInput!) {
    pipelineTemplateUpdate(input: $input) {
      pipelineTemplate {
        id
        name
        description
        configuration
        available
        updatedAt
        updatedBy {
          name
        }
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation templatePageDeleteMutation($input: PipelineTemplateDeleteInput!) {
    pipelineTemplateDelete(input: $input) {
      deletedPipelineTemplateId
    }
  }
`;

/** A pipeline template, read and changed. */
export function TemplatePage() {
  const { organization, template: uuid } = route.useParams();
  const navigate = useNavigate();
  const data = useLazyLoadQuery<templatePageQuery>(
    document,
    { organization, template: uuid },
    { fetchPolicy: 'store-and-network' },
  );
  const template = data.pipelineTemplate;
  if (!template || !data.organization) return <NotFound />;
  const mayChange = data.organization.permissions.organizationUpdate?.allowed ?? false;
  const ids = { organizationId: data.organization.id, id: template.id };
  return (
    <Page
      title={template.name}
      crumbs={
        <Link to="/organizations/$organization/pipeline-templates" params={{ organization }}>
          {texts.resources.templates}
        </Link>
      }
      actions={
        mayChange && (
          <ConfirmButton<templatePageDeleteMutation>
            label={texts.common.delete}
            question={texts.common.deleteQuestion(template.name)}
            mutation={deleteDocument}
            input={ids}
            done={() =>
              void navigate({ to: '/organizations/$organization/pipeline-templates', params: { organization } })
            }
          />
        )
      }
    >
      <p className="muted">
        {texts.templates.updatedBy(template.updatedBy.name)} <RelativeTime at={template.updatedAt} />
      </p>
      <TemplateForm
        key={template.id}
        organization={organization}
        ids={ids}
        mayChange={mayChange}
        values={{
          name: template.name,
          description: template.description ?? '',
          configuration: template.configuration,
          available: template.available,
        }}
      />
    </Page>
  );
}

function TemplateForm(props: {
  organization: string;
  ids: { organizationId: string; id: string };
  mayChange: boolean;
  values: TemplateValues;
}) {
  const form = useForm<TemplateValues, templatePageUpdateMutation>(updateDocument, {
    key: `template:${props.ids.id}`,
    initial: props.values,
    variables: (values) => ({ input: { ...props.ids, ...values } }),
    done: () => showToast({ text: texts.common.saved }),
  });
  return (
    <FormFrame form={form} submit={texts.common.save} disabled={!props.mayChange}>
      <TemplateFields organization={props.organization} form={form} />
    </FormFrame>
  );
}
