import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from 'react-relay';
import type { suitesPageCreateMutation } from '../../__generated__/suitesPageCreateMutation.graphql';
import type { suitesPageQuery } from '../../__generated__/suitesPageQuery.graphql';
import type { suitesPage_organization$data } from '../../__generated__/suitesPage_organization.graphql';
import { texts } from '../../texts/texts';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { ListPage } from '../../ui/list-page';
import { ShownOnce } from '../../ui/shown-once';
import { RelativeTime } from '../../ui/time';
import { useForm } from '../../ui/use-form';

const route = getRouteApi('/organizations/$organization/analytics/suites');

const document = graphql`
  query suitesPageQuery($organization: ID!) {
    organization(slug: $organization) {
      id
      ...suitesPage_organization
    }
  }
`;

const fragment = graphql`
  fragment suitesPage_organization on Organization
  @refetchable(queryName: "suitesPageMoreQuery")
  @argumentDefinitions(count: { type: "Int", defaultValue: 50 }, cursor: { type: "String" }) {
    suites(first: $count, after: $cursor, order: NAME) @connection(key: "suitesPage_suites") {
      edges {
        node {
          id
          name
          slug
          defaultBranch
          createdAt
        }
      }
    }
  }
`;

const createDocument = graphql`
  mutation suitesPageCreateMutation($input: SuiteCreateInput!) {
    suiteCreate(input: $input) {
      apiToken
      suite {
        slug
      }
    }
  }
`;

/** Test suites of an organization. */
export function SuitesPage() {
  const { organization } = route.useParams();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ token: string; slug: string } | null>(null);
  return (
    <ListPage<suitesPageQuery, suitesPage_organization$data, 'suites'>
      title={texts.resources.suites}
      query={document}
      variables={{ organization }}
      fragment={fragment}
      connection="suites"
      empty={texts.resources.noSuites}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ name, slug }) => (
            <Link to="/organizations/$organization/analytics/suites/$suite" params={{ organization, suite: slug }}>
              {name}
            </Link>
          ),
        },
        { title: texts.fields.branch, cell: ({ defaultBranch }) => defaultBranch },
        { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
      ]}
      creation={({ organization: { id } }) => ({
        text: texts.suites.new,
        dialog: (close) => (
          <NewSuite
            organizationId={id}
            close={close}
            done={(next) => {
              close();
              setCreated(next);
            }}
          />
        ),
      })}
      after={
        created && (
          <ShownOnce
            title={texts.suites.token}
            value={created.token}
            close={() =>
              void navigate({
                to: '/organizations/$organization/analytics/suites/$suite',
                params: { organization, suite: created.slug },
              })
            }
          />
        )
      }
    />
  );
}

function NewSuite(props: {
  organizationId: string;
  close: () => void;
  done: (created: { token: string; slug: string }) => void;
}) {
  const form = useForm<{ name: string; branch: string }, suitesPageCreateMutation>(createDocument, {
    key: `suite:${props.organizationId}`,
    initial: { name: '', branch: 'main' },
    variables: ({ name, branch }) => ({
      input: { organizationID: props.organizationId, name, defaultBranch: branch, showApiToken: true },
    }),
    done: ({ suiteCreate }) => props.done({ token: suiteCreate?.apiToken ?? '', slug: suiteCreate?.suite.slug ?? '' }),
  });
  return (
    <FormDialog title={texts.suites.new} form={form} submit={texts.common.create} close={props.close}>
      <TextField label={texts.fields.name} required autoFocus {...form.text('name')} />
      <TextField label={texts.newPipeline.defaultBranch} required {...form.text('branch', 'defaultBranch')} />
    </FormDialog>
  );
}
