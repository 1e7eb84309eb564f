import { graphql, useLazyLoadQuery } from 'react-relay';
import type { profileMutation } from '../../__generated__/profileMutation.graphql';
import type { profileQuery } from '../../__generated__/profileQuery.graphql';
import { texts } from '../../texts/texts';
import { TextField } from '../../ui/field';
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

/** Who one is here, and the password. */
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
