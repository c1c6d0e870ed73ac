import { useEffect, useRef } from 'react';

interface PageOf {
  readonly current_page: number;
  readonly last_page: number;
}

/**
 * Leads back to the last page of a list where the one that is shown is gone, as when its only item was deleted.
 *
 * @returns whether that is so: until then the list must not be called empty
 */
export function useLastPage(page: PageOf | undefined, onPage: (page: number) => void): boolean {
  const show = useRef(onPage);
  useEffect(() => {
    show.current = onPage;
  });
  const last = page && page.current_page > page.last_page ? page.last_page : null;
  useEffect(() => {
    if (last !== null) show.current(last);
  }, [last]);
  return last !== null;
}
