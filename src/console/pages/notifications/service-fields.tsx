import { texts } from '../../texts/texts';
import { CheckField, CheckList, SelectField, TextField } from '../../ui/field';
import type { Form } from '../../ui/use-form';
import { initialTexts, namesEvents, type SettingField, settingsInput, settingsOf } from './service-settings';

/** What can be said of a notification service. */
export interface ServiceValues {
  provider: string;
  /** Settings of providers other than webhooks, as they are typed, by the names of the input. */
  settings: Record<string, string>;
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
  provider: 'webhook',
  settings: {},
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
    ...(values.provider === 'webhook' ? webhookSettings(values) : settingsInput(values.provider, values.settings)),
    ...(namesEvents(values.provider) ? { events: values.events } : {}),
  },
});

const webhookSettings = ({ url, tokenMode, tlsVerify, token }: ServiceValues) => ({
  url,
  tokenMode,
  tlsVerify,
  ...(token === '' ? {} : { token }),
});

/** Fields of a service, new or not. */
export function ServiceFields(props: {
  form: Form<ServiceValues>;
  isNew: boolean;
  tokenSet: boolean;
  notifiable: Notifiable;
}) {
  const { form, isNew, tokenSet, notifiable } = props;
  const { notifications } = texts;
  const { provider } = form.values;
  return (
    <>
      {isNew && (
        <SelectField
          label={notifications.provider}
          hint={notifications.providerHints[provider]}
          {...form.text('provider')}
          onChange={(chosen) => form.change({ provider: chosen, settings: initialTexts(chosen) })}
          choices={Object.entries(notifications.providers).map(([value, label]) => ({ value, label }))}
        />
      )}
      <TextField
        label={texts.fields.description}
        hint={provider === 'slack' ? notifications.slackDescriptionHint : undefined}
        required
        {...form.text('description')}
      />
      {provider === 'webhook' && <WebhookFields form={form} tokenSet={tokenSet} />}
      {settingsOf(provider).map((field) => (
        <Setting key={field.name} form={form} field={field} isNew={isNew} />
      ))}
      {namesEvents(provider) && (
        <CheckList
          label={notifications.events}
          error={form.list('events')}
          choices={notifiable.notificationEvents.map((event) => ({ value: event, label: event }))}
          chosen={form.values.events}
          onChange={(chosen) => form.change({ events: chosen })}
        />
      )}
      <CheckList
        label={notifications.states}
        error={form.list('states', 'buildStates')}
        choices={notifiable.notificationStates.map((state) => ({ value: state, label: state.replaceAll('_', ' ') }))}
        chosen={form.values.states}
        onChange={(chosen) => form.change({ states: chosen })}
      />
      <TextField
        label={notifications.branches}
        hint={notifications.branchesHint}
        {...form.text('branches', 'branchConfiguration')}
      />
    </>
  );
}

function WebhookFields({ form, tokenSet }: { form: Form<ServiceValues>; tokenSet: boolean }) {
  const { notifications } = texts;
  return (
    <>
      <TextField label={notifications.url} type="url" required {...form.text('url', 'settings.url')} />
      <TextField
        label={notifications.token}
        type="password"
        hint={tokenSet ? notifications.tokenKept : notifications.tokenHint}
        {...form.text('token', 'settings.token')}
      />
      <SelectField
        label={notifications.tokenMode}
        {...form.text('tokenMode', 'token_mode')}
        choices={[
          { value: 'token', label: notifications.modes.token },
          { value: 'signature', label: notifications.modes.signature },
        ]}
      />
      <CheckField label={notifications.tlsVerify} {...form.check('tlsVerify')} />
    </>
  );
}

/** A setting of a provider other than webhooks. */
function Setting(props: { form: Form<ServiceValues>; field: SettingField; isNew: boolean }) {
  const { form, field, isNew } = props;
  const { name, kind, fixed } = field;
  const { settings, settingHints, themes, secretKept } = texts.notifications;
  const label = settings[name] ?? name;
  const value = form.values.settings[name] ?? '';
  const onChange = (text: string) => form.change({ settings: { ...form.values.settings, [name]: text } });
  if (fixed && !isNew)
    return (
      <p className="field">
        {label}: <code>{value}</code>
      </p>
    );
  if (kind === 'flag')
    return <CheckField label={label} checked={value === 'true'} onChange={(isOn) => onChange(String(isOn))} />;
  const shared = { label, value, onChange, error: form.list('settings', `settings.${name}`, name) };
  if (kind === 'theme')
    return <SelectField {...shared} choices={themes.map(([each, text]) => ({ value: each, label: text }))} />;
  const isKept = kind === 'secret' && !isNew;
  return (
    <TextField
      {...shared}
      hint={isKept ? secretKept : settingHints[name]}
      required={field.required === true && !isKept}
      type={inputTypes[kind] ?? 'text'}
      {...(kind === 'lines' || kind === 'map' ? { lines: 3 } : {})}
    />
  );
}

const inputTypes: Partial<Record<SettingField['kind'], 'url' | 'password'>> = { url: 'url', secret: 'password' };
