import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql, useLazyLoadQuery, usePaginationFragment } from 'react-relay';
import type { suitesPage_organization$key } from '../../__generated__/suitesPage_organization.graphql';
import type { suitesPageCreateMutation } from '../../__generated__/suitesPageCreateMutation.graphql';
import type { suitesPageQuery } from '../../__generated__/suitesPageQuery.graphql';
import { nodesOf } from '../../relay/nodes';
import { texts } from '../../texts/texts';
import { TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form';
import { ListPage } from '../../ui/list-page';
import { PagedTable } from '../../ui/paged-table';
import { NotFound } from '../../ui/placeholder';
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
    slug
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
  const data = useLazyLoadQuery<suitesPageQuery>(document, { organization }, { fetchPolicy: 'store-and-network' });
  const found = data.organization;
  if (!found) return <NotFound />;
  return (
    <ListPage
      title={texts.resources.suites}
      making={{
        text: texts.suites.new,
        dialog: (close) => (
          <NewSuite
            organizationId={found.id}
            close={close}
            done={(next) => {
              close();
              setCreated(next);
            }}
          />
        ),
      }}
    >
      <List organization={found} />
      {created && (
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
      )}
    </ListPage>
  );
}

function List({ organization }: { organization: suitesPage_organization$key }) {
  const { data, ...more } = usePaginationFragment<suitesPageQuery, suitesPage_organization$key>(fragment, organization);
  return (
    <PagedTable
      more={more}
      label={texts.resources.suites}
      items={nodesOf(data.suites)}
      keyOf={({ id }) => id}
      empty={texts.resources.noSuites}
      columns={[
        {
          title: texts.fields.name,
          cell: ({ name, slug }) => (
            <Link
              to="/organizations/$organization/analytics/suites/$suite"
              params={{ organization: data.slug, suite: slug }}
            >
              {name}
            </Link>
          ),
        },
        { title: texts.fields.branch, cell: ({ defaultBranch }) => defaultBranch },
        { title: texts.fields.created, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
      ]}
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
