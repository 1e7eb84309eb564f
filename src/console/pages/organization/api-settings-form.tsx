import { graphql, useFragment } from 'react-relay';
import type { apiSettingsForm_organization$key } from '../../__generated__/apiSettingsForm_organization.graphql';
import type { apiSettingsFormMutation } from '../../__generated__/apiSettingsFormMutation.graphql';
import { texts } from '../../texts/texts';
import { CheckField, SelectField, TextField } from '../../ui/field';
import { FormFrame } from '../../ui/form';
import { showToast } from '../../ui/toast';
import { useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment apiSettingsForm_organization on Organization {
    id
    apiSettings {
      allowedIpAddresses
      restrictUserApiTokenCreation
      revokeInactiveTokensAfterDays
    }
  }
`;

const mutation = graphql`
  mutation apiSettingsFormMutation($input: OrganizationApiSettingsUpdateInput!) {
    organizationApiSettingsUpdate(input: $input) {
      organization {
        ...apiSettingsForm_organization
      }
    }
  }
`;

interface Values {
  addresses: string;
  restricted: boolean;
  days: string;
}

const periods = ['30', '60', '90', '180', '365'];

/** What the organization asks of API tokens. */
export function ApiSettingsForm({ organization }: { organization: apiSettingsForm_organization$key }) {
  const { id, apiSettings } = useFragment(fragment, organization);
  const form = useForm<Values, apiSettingsFormMutation>(mutation, {
    key: `api-settings:${id}`,
    initial: {
      addresses: apiSettings?.allowedIpAddresses ?? '',
      restricted: apiSettings?.restrictUserApiTokenCreation ?? false,
      days: String(apiSettings?.revokeInactiveTokensAfterDays ?? ''),
    },
    variables: ({ addresses, restricted, days }) => ({
      input: {
        organizationId: id,
        allowedIpAddresses: addresses.trim() === '' ? null : addresses,
        restrictUserApiTokenCreation: restricted,
        revokeInactiveTokensAfterDays: days === '' ? null : Number(days),
      },
    }),
    done: () => showToast({ text: texts.common.saved }),
  });
  return (
    <FormFrame form={form} submit={texts.common.save}>
      <h2>{texts.resources.apiTokens}</h2>
      <TextField
        label={texts.organization.addresses}
        hint={texts.organization.addressesHint}
        {...form.text('addresses', 'allowedIpAddresses')}
      />
      <SelectField
        label={texts.organization.inactive}
        {...form.text('days', 'revokeInactiveTokensAfterDays')}
        choices={[
          { value: '', label: texts.common.never },
          ...periods.map((days) => ({ value: days, label: texts.organization.days(Number(days)) })),
        ]}
      />
      <CheckField label={texts.organization.restricted} {...form.check('restricted')} />
    </FormFrame>
  );
}
