import { graphql, useFragment } from 'react-relay';
import type { bannerForm_organization$key } from '../../__generated__/bannerForm_organization.graphql';
import type { bannerFormDeleteMutation } from '../../__generated__/bannerFormDeleteMutation.graphql';
import type { bannerFormMutation } from '../../__generated__/bannerFormMutation.graphql';
import { readBanner } from '../../layout/banner';
import { texts } from '../../texts/texts';
import { ConfirmButton } from '../../ui/confirm-button';
import { TextField } from '../../ui/field';
import { FormFrame } from '../../ui/form';
import { showToast } from '../../ui/toast';
import { useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment bannerForm_organization on Organization {
    id
    slug
    banners(first: 1) {
      edges {
        node {
          id
          message
        }
      }
    }
  }
`;

const mutation = graphql`
  mutation bannerFormMutation($input: OrganizationBannerUpsertInput!) {
    organizationBannerUpsert(input: $input) {
      banner {
        id
        message
      }
    }
  }
`;

const deleteDocument = graphql`
  mutation bannerFormDeleteMutation($input: OrganizationBannerDeleteInput!) {
    organizationBannerDelete(input: $input) {
      deletedBannerId
    }
  }
`;

/** The message that everybody in the organization sees on top of every page. */
export function BannerForm({ organization }: { organization: bannerForm_organization$key }) {
  const { id, slug, banners } = useFragment(fragment, organization);
  const message = banners.edges?.[0]?.node?.message ?? '';
  const form = useForm<{ message: string }, bannerFormMutation>(mutation, {
    key: `banner:${id}`,
    initial: { message },
    variables: (values) => ({ input: { organizationId: id, message: values.message } }),
    done: () => {
      showToast({ text: texts.common.saved });
      void readBanner(slug);
    },
  });
  return (
    <FormFrame form={form} submit={texts.common.save}>
      <h2>{texts.organization.banner}</h2>
      <TextField
        label={texts.organization.bannerMessage}
        hint={texts.organization.bannerHint}
        required
        lines={2}
        {...form.text('message')}
      />
      {message !== '' && (
        <div>
          <ConfirmButton<bannerFormDeleteMutation>
            label={texts.organization.bannerRemove}
            question={texts.organization.bannerQuestion}
            mutation={deleteDocument}
            input={{ organizationId: id }}
            done={() => {
              form.change({ message: '' });
              void readBanner(slug);
            }}
          />
        </div>
      )}
    </FormFrame>
  );
}
