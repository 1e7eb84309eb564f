import { useRouter } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /**
     * Puts the page into the navigation of its organization: in the bar with `main`, else behind the bar's last
     * button.
     */
    navigation?: { text: string; main?: boolean };
  }
}

/** What the navigation reads of a route. */
interface NavigableRoute {
  options: { path?: string; staticData?: { navigation?: { text: string; main?: boolean } } };
}

export interface NavigationEntry {
  to: string;
  text: string;
  /** In the bar; the others are behind its last button. */
  main: boolean;
}

/** Entries of an organization's navigation: the routes that ask for one, in their order. */
export function navigationOf(routes: readonly NavigableRoute[], organization: string): NavigationEntry[] {
  return routes.flatMap(({ options: { path = '', staticData } }) => {
    const entry = staticData?.navigation;
    if (!entry) return [];
    return [{ to: path.replace('$organization', organization), text: entry.text, main: entry.main ?? false }];
  });
}

/** The navigation of an organization; empty while none is known. */
export function useNavigation(organization: string | null): NavigationEntry[] {
  const { children } = useRouter().routeTree as { children?: unknown };
  return organization ? navigationOf(children as NavigableRoute[], organization) : [];
}
