import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A question whose answer is waited for only so long. While one is under way no other is asked: a system that is away would
 * collect them.
 */
export class BoundedQuestion<Answer> {
  private asked: Promise<Answer> | null = null;

  /**
   * @param put asks the question
   * @param otherwise the answer where asking fails, or takes longer
   */
  constructor(
    private readonly put: () => Promise<Answer>,
    private readonly limitMs: number,
    private readonly otherwise: Answer,
  ) {}

  /** Never fails. */
  ask(): Promise<Answer> {
    this.asked ??= this.put()
      .catch(() => this.otherwise)
      .finally(() => {
        this.asked = null;
      });
    return Promise.race([this.asked, sleep(this.limitMs, this.otherwise, { ref: false })]);
  }
}
