import { ActionIcon, Group } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Dimmed } from '../dimmed.js';
import { useTexts } from '../../texts/texts.js';

/** A page of a list, as the API returns it. */
interface PageOf {
  readonly current_page: number;
  readonly last_page: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly total: number;
}

interface Props {
  readonly page: PageOf;
  readonly onPage: (page: number) => void;
}

/** Range of the shown page with buttons to the others. Hidden if there is one page. */
export function Pager({ page, onPage }: Props) {
  const t = useTexts('calls').pages;
  if (page.last_page <= 1 && page.current_page === 1) return null;
  return (
    <Group justify="flex-end" gap="xs" p="sm">
      <Dimmed className="tabular">{t.range(page.from ?? 0, page.to ?? 0, page.total)}</Dimmed>
      <ActionIcon
        aria-label={t.previous}
        disabled={page.current_page <= 1}
        onClick={() => onPage(page.current_page - 1)}
      >
        <ChevronLeft size={17} />
      </ActionIcon>
      <ActionIcon
        aria-label={t.next}
        disabled={page.current_page >= page.last_page}
        onClick={() => onPage(page.current_page + 1)}
      >
        <ChevronRight size={17} />
      </ActionIcon>
    </Group>
  );
}
