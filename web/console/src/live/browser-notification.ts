/** Shows a notification of the browser, where the person has allowed it. One with the same tag replaces an earlier one. */
export function showNotification(title: string, tag: string, onClick: () => void, body = ''): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    const notification = new Notification(title, { tag, ...(body && { body }) });
    notification.addEventListener('click', () => {
      window.focus();
      notification.close();
      onClick();
    });
  } catch {
    // Browsers of telephones have the class but refuse to make one.
  }
}
