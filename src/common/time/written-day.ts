/** Whether a text is a day of the calendar, as `YYYY-MM-DD`. */
export function isWrittenDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) && text >= '0001-01-01';
}
