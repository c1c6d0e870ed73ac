import { queryOptions } from '@tanstack/react-query';
import type { Language } from '../../../shared/languages.js';

/** A page that a plugin brings, as the server lists it. */
interface PluginPage {
  readonly name: string;
  readonly title: Readonly<Record<Language, string>>;
  /** Of its files, on this server. */
  readonly url: string;
}

/** It changes with a start of the server alone. */
export const pluginPagesQuery = queryOptions({
  queryKey: ['plugin-pages'],
  queryFn: async ({ signal }): Promise<readonly PluginPage[]> => {
    const response = await fetch('/plugins/pages.json', { signal });
    if (!response.ok) throw new Error(`the list of pages was answered with ${response.status}`);
    return (await response.json()) as readonly PluginPage[];
  },
  staleTime: Infinity,
});
