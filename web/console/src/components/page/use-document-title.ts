import { useEffect } from 'react';
import { useBadge } from './title-badge.js';

/** The name of the page in the tab, after the number of what waits. */
export function useDocumentTitle(title: string): void {
  const badge = useBadge();
  useEffect(() => {
    document.title = `${badge > 0 ? `(${badge}) ` : ''}${title} · Prosa`;
  }, [badge, title]);
}
