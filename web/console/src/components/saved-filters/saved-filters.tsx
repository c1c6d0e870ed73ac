import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Bookmark, Check, Settings2 } from 'lucide-react';
import { useTexts } from '../../texts/texts.js';
import { lazyNamed } from '../states/lazy-named.js';
import { filtersOf, isSame, type SavedFilter } from './saved-filter.js';
import { type FilteredPage, useSavedFilters } from './use-saved-filters.js';

const ManageFilters = lazyNamed(async () => (await import('./manage-filters.js')).ManageFilters);

/** Applies saved filters, and opens the dialog that saves and changes them. */
export function SavedFilters({ page }: { readonly page: FilteredPage }) {
  const { savedFilters: t } = useTexts('common');
  const store = useSavedFilters(page);
  const current = filtersOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [isManaging, managing] = useDisclosure(false);
  // The route reads what it knows.
  const apply = ({ search }: SavedFilter) => void navigate({ to: '.', search: search as never });
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon size={34} aria-label={t.title}>
            <Bookmark size={17} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {store.filters.map((filter) => (
            <Menu.Item
              key={filter.name}
              aria-current={isSame(filter.search, current) || undefined}
              rightSection={isSame(filter.search, current) && <Check size={15} aria-hidden="true" />}
              onClick={() => apply(filter)}
            >
              {filter.name}
            </Menu.Item>
          ))}
          {store.filters.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<Settings2 size={16} />} onClick={managing.open}>
            {t.manage}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isManaging && <ManageFilters store={store} current={current} onClose={managing.close} />}
    </>
  );
}
