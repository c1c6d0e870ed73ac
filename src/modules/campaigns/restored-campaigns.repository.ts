/** SQL for a database that a backup has just filled: what was called since the backup would be called again. */
export const STOP_RUNNING_CAMPAIGNS = "UPDATE campaigns SET status = 'stopped' WHERE status = 'in-progress'";
