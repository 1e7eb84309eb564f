import { useReducer } from 'react';
import { texts } from '../texts/texts';
import { Menu } from '../ui/menu';
import { chooseContrast, chooseTheme, contrastChosen, type Theme, themeChosen } from './preferences';

const themes: Theme[] = ['system', 'light', 'dark'];

interface Person {
  name: string;
  email: string;
  avatar: { url: string };
}

/** Who is signed in, how the console looks, and the way out. */
export function AccountMenu({
  user,
  openHelp,
  openAccount,
}: {
  user: Person | null;
  openHelp: () => void;
  openAccount: () => void;
}) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const then = (action: () => void) => () => {
    action();
    redraw();
  };
  const { theme, contrast } = texts.shell;
  return (
    <Menu
      label={`${texts.shell.account}: ${user?.name ?? ''}`}
      entries={[
        ...themes.map((each) => ({
          id: each,
          text: theme[each],
          label: `${themeChosen() === each ? '✓ ' : ''}${theme.label}: ${theme[each]}`,
          onAction: then(() => chooseTheme(each)),
        })),
        {
          id: 'contrast',
          text: contrast.on,
          label: contrastChosen() ? contrast.off : contrast.on,
          onAction: then(() => chooseContrast(!contrastChosen())),
        },
        { id: 'account', text: texts.shell.nav.account, label: texts.shell.nav.account, onAction: openAccount },
        { id: 'help', text: texts.shell.keyboardHelp, label: texts.shell.keyboardHelp, onAction: openHelp },
        { id: 'out', text: texts.shell.signOut, label: texts.shell.signOut, onAction: signOut },
      ]}
    >
      {user ? <img className="avatar" src={new URL(user.avatar.url).pathname} alt="" /> : <span className="avatar" />}
    </Menu>
  );
}

/** A form of its own, because signing out changes state and must not be a link. */
function signOut() {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = '/logout';
  document.body.append(form);
  form.submit();
}
