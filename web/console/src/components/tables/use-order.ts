import { useNavigate, useSearch } from '@tanstack/react-router';

/** The order of a table, kept in the URL as `sort`: a link leads to it, and the back button to the one before. */
export function useOrder(initial: string | undefined) {
  const { sort } = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (next: string | undefined) =>
    void navigate({
      to: '.',
      // Each page reads the orders that it knows.
      search: (({ sort: _sort, page: _page, ...others }: Record<string, unknown>) =>
        next === undefined || next === initial ? others : { ...others, sort: next }) as never,
      resetScroll: false,
    });
  return { order: sort ?? initial, show };
}
