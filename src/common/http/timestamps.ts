/** A moment as calls and leads show it: `YYYY-MM-DD HH:MM:SS` in UTC. */
export function toPlainTimestamp(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ');
}
