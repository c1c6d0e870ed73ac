import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type LinkProps, useNavigate } from '@tanstack/react-router';

/** What to call when the thing of a page has been deleted: goes to the list, which is read anew. */
export function useLeaveDeleted(to: NonNullable<LinkProps['to']>, list: QueryKey, one: QueryKey) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    // Unsaved changes of what was deleted are no reason to stay.
    await navigate({ to, ignoreBlocker: true });
    queries.removeQueries({ queryKey: one });
    await queries.invalidateQueries({ queryKey: list });
  };
}
