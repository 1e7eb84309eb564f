import { graphql, useFragment } from 'react-relay';
import type { providerSettings_pipeline$key } from '../../__generated__/providerSettings_pipeline.graphql';
import type { providerSettingsMutation } from '../../__generated__/providerSettingsMutation.graphql';
import { texts } from '../../texts/texts';
import { CheckField, SelectField, TextField } from '../../ui/field';
import { FormFrame } from '../../ui/form';
import { showToast } from '../../ui/toast';
import { useForm } from '../../ui/use-form';

const fragment = graphql`
  fragment providerSettings_pipeline on Pipeline {
    id
    repository {
      provider {
        name
      }
    }
    providerSettings {
      name
      description
      kind
      choices
      enabled
      value
      needs
    }
    permissions {
      pipelineUpdate {
        allowed
      }
    }
  }
`;

const mutation = graphql`
  mutation providerSettingsMutation($input: PipelineUpdateInput!) {
    pipelineUpdate(input: $input) {
      pipeline {
        ...providerSettings_pipeline
      }
    }
  }
`;

type Values = Record<string, string | boolean>;

/** Which events of the provider build, and which commit statuses are published; the server lists the settings. */
export function ProviderSettings({ pipeline }: { pipeline: providerSettings_pipeline$key }) {
  const { id, repository, providerSettings: settings, permissions } = useFragment(fragment, pipeline);
  const initial: Values = Object.fromEntries(
    settings.map(({ name, kind, enabled, value }) => [name, kind === 'boolean' ? enabled : (value ?? '')]),
  );
  const form = useForm<Values, providerSettingsMutation>(mutation, {
    key: `provider:${id}`,
    initial,
    variables: (values) => {
      // What stays as it is is not said: the server then keeps its default for it.
      const changed = settings.filter(({ name }) => values[name] !== initial[name]);
      const entries = changed.map(({ name }) => [name, values[name] === '' ? null : values[name]]);
      return { input: { id, providerSettings: JSON.stringify(Object.fromEntries(entries)) } };
    },
    done: () => showToast({ text: texts.common.saved }),
  });
  const has = (need: string) => {
    const [name = '', word] = need.split('=');
    return form.values[name] === (word ?? true);
  };
  /** Descriptions name other settings as the schema does. */
  const plain = (text: string) =>
    text.replace(
      /`(\w+)`/g,
      (_mark, name: string) => `“${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}”`,
    );
  const labelOf = (name: string) => {
    const words = name.replaceAll('_', ' ');
    return words.charAt(0).toUpperCase() + words.slice(1);
  };
  return (
    <FormFrame form={form} submit={texts.common.save} disabled={!permissions.pipelineUpdate.allowed}>
      <p className="muted">{texts.settings.providerText(repository?.provider?.name ?? '')}</p>
      {settings
        // What has no effect is not asked for.
        .filter(({ needs }) => needs.every(has))
        .map(({ name, description, kind, choices }) => {
          const shared = {
            label: labelOf(name),
            hint: plain(description),
            error: form.list(name),
            value: String(form.values[name] ?? ''),
            onChange: (value: string) => form.change({ [name]: value }),
          };
          if (kind === 'boolean') {
            return (
              <CheckField
                key={name}
                label={shared.label}
                hint={shared.hint}
                checked={form.values[name] === true}
                onChange={(checked) => form.change({ [name]: checked })}
              />
            );
          }
          if (kind === 'choice') {
            return <SelectField key={name} {...shared} choices={choices.map((value) => ({ value, label: value }))} />;
          }
          return <TextField key={name} {...shared} />;
        })}
    </FormFrame>
  );
}
