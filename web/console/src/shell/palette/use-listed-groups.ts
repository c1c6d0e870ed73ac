import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Bot, Megaphone, Puzzle, UserRound } from 'lucide-react';
import { listCampaigns, listMembers } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { assistantsQuery } from '../../catalog/queries.js';
import { useIsAllowed } from '../../session/rights.js';
import { useLanguage, useTexts } from '../../texts/texts.js';
import { useListedPages } from '../listed-pages.js';
import { pluginPagesQuery } from '../plugin-pages.js';
import { matcherOf, MOST_ITEMS, type PaletteGroup, type PaletteItem } from './palette-group.js';

/** What the page finds by itself in lists that it has whole. Pages are offered before anything is typed. */
export function useListedGroups(words: string): readonly PaletteGroup[] {
  const isFilled = words !== '';
  const mayReadMembers = useIsAllowed('admin');
  const navigate = useNavigate();
  const pages = usePageItems();
  const assistants = useQuery({ ...assistantsQuery, enabled: isFilled });
  const campaigns = useQuery({
    queryKey: ['campaigns'],
    queryFn: ({ signal }) => dataOf(listCampaigns, { signal }),
    enabled: isFilled,
  });
  const members = useQuery({
    queryKey: ['members'],
    queryFn: ({ signal }) => dataOf(listMembers, { signal }),
    enabled: isFilled && mayReadMembers,
  });
  const isMatch = matcherOf(words);
  const found = (items: readonly PaletteItem[]) =>
    items.filter(({ label, detail }) => isMatch(`${label} ${detail}`)).slice(0, MOST_ITEMS);
  const group = (
    name: PaletteGroup['name'],
    { isLoading, isError }: { readonly isLoading: boolean; readonly isError: boolean },
    items: readonly PaletteItem[],
  ): PaletteGroup =>
    isFilled
      ? { name, items: found(items), isLoading, isFailed: isError }
      : { name, items: [], isLoading: false, isFailed: false };
  return [
    { name: 'pages', items: found(pages), isLoading: false, isFailed: false },
    group(
      'assistants',
      assistants,
      (assistants.data ?? []).map(({ id, name }) => ({
        id: `assistant-${id}`,
        icon: Bot,
        label: name,
        detail: '',
        open: () => navigate({ to: '/assistants/$id', params: { id: String(id) } }),
      })),
    ),
    group(
      'campaigns',
      campaigns,
      (campaigns.data ?? []).map(({ id, name }) => ({
        id: `campaign-${id}`,
        icon: Megaphone,
        label: name,
        detail: '',
        open: () => navigate({ to: '/campaigns/$id', params: { id: String(id) } }),
      })),
    ),
    group(
      'people',
      members,
      (members.data?.members ?? []).map(({ id, name, email }) => ({
        id: `person-${id}`,
        icon: UserRound,
        label: name,
        detail: email,
        open: () => navigate({ to: '/members' }),
      })),
    ),
  ];
}

function usePageItems(): readonly PaletteItem[] {
  const { links } = useTexts('shell');
  const { language } = useLanguage();
  const navigate = useNavigate();
  const listed = useListedPages().flatMap(({ items }) => items);
  const { data: ofPlugins = [] } = useQuery(pluginPagesQuery);
  return [
    ...listed.map(({ name, to, icon }) => ({
      id: `page-${name}`,
      icon,
      label: links[name],
      detail: '',
      open: () => navigate({ to }),
    })),
    ...ofPlugins.map(({ name, title }) => ({
      id: `plugin-${name}`,
      icon: Puzzle,
      label: title[language],
      detail: '',
      open: () => navigate({ to: '/plugins/$name', params: { name } }),
    })),
  ];
}
