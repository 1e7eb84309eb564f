import { graphql, useFragment, useLazyLoadQuery } from 'react-relay';
import type { profile_mail$key } from '../../__generated__/profile_mail.graphql';
import type { BuildMail, profileMailMutation } from '../../__generated__/profileMailMutation.graphql';
import type { profileMutation } from '../../__generated__/profileMutation.graphql';
import type { profileQuery } from '../../__generated__/profileQuery.graphql';
import { texts } from '../../texts/texts';
import { SelectField, TextField } from '../../ui/field';
import { FormFrame } from '../../ui/form';
import { Section } from '../../ui/section';
import { showToast } from '../../ui/toast';
import { useForm } from '../../ui/use-form';

const document = graphql`
  query profileQuery {
    viewer {
      user {
        id
        name
        email
        hasPassword
      }
      ...profile_mail
    }
  }
`;

const mailFragment = graphql`
  fragment profile_mail on Viewer {
    id
    buildMail
  }
`;

const mailMutation = graphql`
  mutation profileMailMutation($input: UserBuildMailUpdateInput!) {
    userBuildMailUpdate(input: $input) {
      viewer {
        ...profile_mail
      }
    }
  }
`;

const mutation = graphql`
  mutation profileMutation($input: UserPasswordChangeInput!) {
    userPasswordChange(input: $input) {
      user {
        id
      }
    }
  }
`;

/** Who one is here, the mail of one's builds, and the password. */
export function Profile() {
  const { viewer } = useLazyLoadQuery<profileQuery>(document, {});
  const user = viewer?.user;
  if (!user) return null;
  const { account } = texts;
  return (
    <>
      <Section title={account.tabs.profile}>
        <dl className="facts card-body">
          <dt>{account.name}</dt>
          <dd>{user.name}</dd>
          <dt>{account.email}</dt>
          <dd>{user.email}</dd>
        </dl>
      </Section>
      <MailForm viewer={viewer} />
      {user.hasPassword ? (
        <PasswordForm userId={user.id} />
      ) : (
        <Section title={account.password}>
          <p className="card-body muted">{account.noPassword}</p>
        </Section>
      )}
    </>
  );
}

const mailChoices = ['NEVER', 'FAILED', 'ALWAYS'] as const;

function MailForm({ viewer }: { viewer: profile_mail$key }) {
  const { account } = texts;
  const { id, buildMail } = useFragment(mailFragment, viewer);
  const form = useForm<{ buildMail: BuildMail }, profileMailMutation>(mailMutation, {
    key: `build-mail:${id}`,
    initial: { buildMail: buildMail ?? 'NEVER' },
    variables: (values) => ({ input: values }),
    done: () => showToast({ text: texts.common.saved }),
  });
  const { onChange, ...field } = form.text('buildMail');
  return (
    <FormFrame form={form} submit={texts.common.save}>
      <h2>{account.mail}</h2>
      <SelectField
        label={account.buildMail}
        hint={account.buildMailHint}
        {...field}
        onChange={(value) => onChange(value as BuildMail)}
        choices={mailChoices.map((value) => ({ value, label: account.buildMails[value] }))}
      />
    </FormFrame>
  );
}

const nothing = { currentPassword: '', newPassword: '', repeated: '' };

function PasswordForm({ userId }: { userId: string }) {
  const { account } = texts;
  const form = useForm<typeof nothing, profileMutation>(mutation, {
    key: `password:${userId}`,
    secret: true,
    initial: nothing,
    variables: ({ currentPassword, newPassword }) => ({ input: { currentPassword, newPassword } }),
    done: () => {
      form.change(nothing);
      showToast({ text: account.passwordChanged });
    },
  });
  const { newPassword, repeated } = form.values;
  const differs = repeated !== '' && repeated !== newPassword;
  const checked: typeof form = { ...form, submit: () => (repeated === newPassword ? form.submit() : undefined) };
  return (
    <FormFrame form={checked} submit={account.changePassword}>
      <h2>{account.password}</h2>
      <TextField
        label={account.currentPassword}
        type="password"
        autoComplete="current-password"
        required
        {...form.text('currentPassword')}
      />
      <TextField
        label={account.newPassword}
        hint={account.newPasswordHint}
        type="password"
        autoComplete="new-password"
        required
        {...form.text('newPassword')}
      />
      <TextField
        label={account.repeatPassword}
        type="password"
        autoComplete="new-password"
        required
        {...form.text('repeated')}
        error={differs ? account.repeatDiffers : undefined}
      />
    </FormFrame>
  );
}
