/** Jobs and handlers do not match. The message is a complete sentence for the developer: it names the job and the places. */
export class JobHandlersError extends Error {
  override readonly name = 'JobHandlersError';

  static missing(jobs: readonly string[]): JobHandlersError {
    const [subject, add] =
      jobs.length === 1
        ? [`The job ${jobs[0]} has no handler`, 'add @Handles with its definition to a method']
        : [`The jobs ${jobs.join(', ')} have no handlers`, 'add @Handles with each definition to a method'];
    return new JobHandlersError(`${subject}: ${add} of a provider that the worker role loads.`);
  }

  static second(job: string, first: string, second: string): JobHandlersError {
    return new JobHandlersError(
      `The job ${job} has two handlers, ${first} and ${second}: remove one of them, or provide the class in one module only.`,
    );
  }

  static unlisted(job: string, place: string): JobHandlersError {
    return new JobHandlersError(
      `${place} handles the job ${job}, which no feature lists: add its definition to \`jobs\`.`,
    );
  }
}
