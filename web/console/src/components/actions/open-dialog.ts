const DIALOG = '[role=dialog][aria-modal=true]';
const CLOSE_BUTTON = '.mantine-Modal-close, .mantine-Drawer-close';
/** A field with an open list closes the list by itself. */
const HANDLES_ESCAPE = '[data-mantine-stop-propagation=true]';

/** Whether a dialog covers the page. */
export function isDialogOpen(): boolean {
  return document.querySelector(DIALOG) !== null;
}

/**
 * Where dialogs cover one another, Escape closes the topmost one only, and not those without a close button. The library
 * closes them all: each listens on the window. So this has to be called before one is rendered.
 */
export function closeTopmostByEscape(): void {
  addEventListener('keydown', closeTopmost, { capture: true });
}

function closeTopmost(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return;
  const dialogs = [...document.querySelectorAll(DIALOG)];
  const target = event.target instanceof Element ? event.target : null;
  if (dialogs.length < 2 || target?.matches(HANDLES_ESCAPE)) return;
  event.stopImmediatePropagation();
  // The topmost one keeps the focus inside.
  const topmost = target?.closest(DIALOG) ?? dialogs.at(-1);
  topmost?.querySelector<HTMLElement>(CLOSE_BUTTON)?.click();
}
