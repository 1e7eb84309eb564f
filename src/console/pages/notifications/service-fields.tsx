import { texts } from '../../texts/texts';
import { CheckField, CheckList, SelectField, TextField } from '../../ui/field';
import type { Form } from '../../ui/use-form';

/** What can be said of a notification service. */
export interface ServiceValues {
  description: string;
  url: string;
  token: string;
  tokenMode: string;
  tlsVerify: boolean;
  branches: string;
  events: string[];
  states: string[];
}

/** The events and outcomes that there are. */
export interface Notifiable {
  readonly notificationEvents: readonly string[];
  readonly notificationStates: readonly string[];
}

export const newService: ServiceValues = {
  description: '',
  url: '',
  token: '',
  tokenMode: 'token',
  tlsVerify: true,
  branches: '',
  events: ['build.finished'],
  states: [],
};

/** The input of the operations; an empty token stays as it is. */
export const serviceInput = (values: ServiceValues) => ({
  description: values.description,
  branchConfiguration: values.branches || null,
  buildStates: values.states,
  settings: {
    url: values.url,
    tokenMode: values.tokenMode,
    tlsVerify: values.tlsVerify,
    events: values.events,
    ...(values.token === '' ? {} : { token: values.token }),
  },
});

/** Fields of a service, new or not. */
export function ServiceFields(props: { form: Form<ServiceValues>; tokenSet: boolean; notifiable: Notifiable }) {
  const { form, tokenSet, notifiable } = props;
  return (
    <>
      <TextField label={texts.fields.description} required {...form.text('description')} />
      <TextField label={texts.notifications.url} type="url" required {...form.text('url', 'settings.url')} />
      <TextField
        label={texts.notifications.token}
        type="password"
        hint={tokenSet ? texts.notifications.tokenKept : texts.notifications.tokenHint}
        {...form.text('token', 'settings.token')}
      />
      <SelectField
        label={texts.notifications.tokenMode}
        {...form.text('tokenMode', 'token_mode')}
        choices={[
          { value: 'token', label: texts.notifications.modes.token },
          { value: 'signature', label: texts.notifications.modes.signature },
        ]}
      />
      <CheckList
        label={texts.notifications.events}
        error={form.list('events')}
        choices={notifiable.notificationEvents.map((event) => ({ value: event, label: event }))}
        chosen={form.values.events}
        onChange={(chosen) => form.change({ events: chosen })}
      />
      <CheckList
        label={texts.notifications.states}
        error={form.list('states', 'buildStates')}
        choices={notifiable.notificationStates.map((state) => ({ value: state, label: state.replaceAll('_', ' ') }))}
        chosen={form.values.states}
        onChange={(chosen) => form.change({ states: chosen })}
      />
      <TextField
        label={texts.notifications.branches}
        hint={texts.settings.branchesHint}
        {...form.text('branches', 'branchConfiguration')}
      />
      <CheckField label={texts.notifications.tlsVerify} {...form.check('tlsVerify')} />
    </>
  );
}
