import { texts } from '../../texts/texts';
import { CheckField, TextField } from '../../ui/field';
import type { Form } from '../../ui/use-form';
import { StepsField } from '../fields/steps-field';

/** What can be said of a pipeline template. */
export interface TemplateValues {
  name: string;
  description: string;
  configuration: string;
  available: boolean;
}

export const newTemplate: TemplateValues = {
  name: '',
  description: '',
  configuration: 'steps:\n  - command: make test\n',
  available: false,
};

/** Fields of a template, new or not. */
export function TemplateFields({ organization, form }: { organization: string; form: Form<TemplateValues> }) {
  const error = form.list('configuration');
  return (
    <>
      <TextField label={texts.fields.name} required {...form.text('name')} />
      <TextField label={texts.fields.description} {...form.text('description')} />
      <StepsField
        organization={organization}
        value={form.values.configuration}
        error={error}
        onChange={(configuration) => form.change({ configuration })}
      />
      <CheckField label={texts.templates.available} hint={texts.templates.availableHint} {...form.check('available')} />
    </>
  );
}
